#include "advisor/cli/simulate_job.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

// The simulation plays the laws' means; the interval is theirs, and so is how long the model takes
// from and to the disk, which is not played.
Estimate hours_of(const CreditedJob& job, const JobSimulation& played) {
  auto hours = job.predicted.hours;
  const double value = (played.first_s + played.later_s + job.length.moving_s) / 3600;
  hours.low *= value / hours.value;
  hours.high *= value / hours.value;
  hours.value = value;
  return hours;
}

double first_rate(const CreditedJob& job, const JobSimulation& played) {
  return job.nodes * job.length.first_items() / played.first_s;
}

std::optional<double> later_rate(const CreditedJob& job, const JobSimulation& played) {
  return played.later_s > 0  // a hundred thousandth of an epoch has no minibatch
             ? std::optional(job.nodes * job.length.later_items() / played.later_s)
             : std::nullopt;
}

}  // namespace

std::optional<CreditedJob> credited_job(const Estimator& estimator,
                                        const Estimator::Plan& plan,
                                        const Answer& predicted) {
  if (!predicted.job || !predicted.job->on_disk_credits) {
    return std::nullopt;
  }
  const Predictor predictor(estimator.model_of(plan), plan.setting.workload);
  const auto job = predict_job(predictor, plan.setting, plan.uncertainty, *plan.length);
  return CreditedJob{*plan.length, plan.setting, job.later, *predicted.job, plan.nodes};
}

bool playable(const CreditedJob& job) {
  constexpr double most_steps = 5e7;
  return job.predicted.hours.value * 3600 <= most_simulated_s &&
         job.length.items * job.length.epochs / job.rested.workload.batch <= most_steps;
}

boost::json::object to_json(const CreditedJob& job, const JobSimulation& played) {
  const auto later = later_rate(job, played);
  return {{"epochs", job.length.epochs},
          {"hours", to_json(hours_of(job, played))},
          {"first_epoch_items_per_s", first_rate(job, played)},
          {"later_items_per_s", later ? boost::json::value(*later) : boost::json::value(nullptr)},
          {"analytic_hours", job.predicted.hours.value},
          {"items", played.items},
          {"events", played.events}};
}

std::string text(const CreditedJob& job, const JobSimulation& played, const std::string& unit) {
  const auto hours = hours_of(job, played);
  const auto later = later_rate(job, played);
  return fmt::format(
      "the whole job from a rested disk, {} epoch{}: ~{} h ({} … {}), the analytic model says ~{}; "
      "~{} {} in the first epoch{}\n",
      report::axis_number(job.length.epochs),
      job.length.epochs == 1 ? "" : "s",
      report::digits(hours.value),
      report::digits(hours.low),
      report::digits(hours.high),
      report::digits(job.predicted.hours.value),
      report::digits(first_rate(job, played)),
      unit,
      later ? fmt::format(", ~{} {} in the later ones", report::digits(*later), unit) : "");
}

}  // namespace rightsize::cli
