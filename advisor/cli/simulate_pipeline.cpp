#include "advisor/cli/simulate_pipeline.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/out_file.h"
#include "advisor/cli/setting_options.h"
#include "advisor/cli/simulate_job.h"
#include "advisor/cli/simulated_work.h"
#include "advisor/json_values.h"
#include "advisor/machine/loader_threads.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "models/carry.h"
#include "models/job_time.h"
#include "models/simulate/pipeline.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

// What is played: laws and a setting, one node of them.
struct Played {
  Laws laws;
  Setting setting;
  int nodes = 1;
  std::string unit;
  std::string device = "accelerator";
  Prediction predicted;  // whose laws the simulation plays the means of
  Source source = Source::assumed;
  std::vector<std::string> notes;
  std::optional<CreditedJob> job;  // played whole as well
  std::string framework;           // whose GPU rates; empty: any framework's
  Answer refused;  // with the reason why there is nothing to play; else its reason is empty
};

void refuse_preprocessing(Phase phase) {
  if (phase == Phase::preprocess) {
    throw UsageError(
        "phase preprocess: the simulator plays training and inference only; predict and advise "
        "answer it");
  }
}

Played from_machine(const Values& values) {
  Played played;
  const auto asked = configuration_from(values);
  refuse_preprocessing(asked.phase);
  auto estimator = estimator_for(values, asked);
  Answer answer;
  const auto plan = estimator.plan(asked, answer);
  if (!plan) {
    played.refused = answer;
    return played;
  }
  const auto predicted = estimator.estimate(asked);
  played.predicted = predicted.prediction;
  played.source = predicted.throughput.source;
  played.notes = answer.notes;
  played.framework = answer.framework;
  const bool on_gpu = !asked.machine.gpu.empty();
  played.device = on_gpu ? to_text(asked.machine) : "CPU engine";
  played.laws = plan->laws;
  played.setting = plan->length ? lasting(plan->setting, plan->length->epochs) : plan->setting;
  played.job = credited_job(estimator, *plan, predicted);
  played.setting.disk = played.job ? played.job->later : sustained(plan->setting.disk);
  if (played.job && !playable(*played.job)) {
    played.job.reset();
    played.notes.emplace_back(
        "the job is too long to be played whole: these are its later epochs, with "
        "their share of what the disk has saved up; predict has the whole job");
  }
  played.nodes = plan->nodes;
  played.unit = plan->unit;
  if (played.setting.workload.data == DataFormat::synthetic) {
    played.setting.loader_threads = 1;  // nobody loads
  } else if (played.setting.loader_threads == threads_of_program) {
    constexpr int more_than_bind = 64;
    played.setting.loader_threads =
        std::max(more_than_bind, usual_loader_threads(played.setting.cpus));
  }
  if (!asked.machine.vcpus && plan->setting.workload.data != DataFormat::synthetic) {
    throw UsageError("--machine: simulating a data path needs vcpus=...");
  }
  return played;
}

Played from_parts(const Values& values) {
  Played played;
  std::string note;
  const auto found = model_or_shipped(values, note);
  played.setting = setting_from(values, found);
  refuse_preprocessing(played.setting.workload.phase);
  const bool stands_in = !note.empty();
  const auto format_note = stand_in_note(found, played.setting.workload);
  const bool carried = stands_in || !format_note.empty();
  if (!format_note.empty()) {
    played.notes.push_back(format_note);
  }
  const auto model = carried ? carried_model(found) : found;
  const SettingUncertainty unsure{.cpu_speed = stands_in ? other_cpu_log_sd : 0};
  played.laws = laws_of(model, played.setting.workload);
  played.predicted = Predictor(model, played.setting.workload).predict(played.setting, unsure);
  played.source = carried ? Source::assumed : Source::fitted;
  played.unit = is_program(played.setting.workload, model)
                    ? "items/s"
                    : report::rate_unit(played.setting.workload);
  return played;
}

// What came of it, of one node.
struct Outcome {
  SimulationSummary summary;
  StallBreakdown stalls;
  double analytic_items_per_s = 0;
  std::optional<JobSimulation> job;
};

// The simulated throughput with the laws' interval: the simulation itself plays their means.
Estimate throughput_of(const Played& played, const SimulationSummary& summary) {
  const auto& predicted = played.predicted;
  const double value = summary.items_per_s * played.nodes;
  const double over = value / predicted.items_per_s;
  const double spread = std::exp(normal_90 * predicted.log_sd);
  return {value,
          over * low_items_per_s(predicted, spread),
          over * high_items_per_s(predicted, spread),
          0.9,
          played.unit,
          played.source};
}

json::object to_json(const Played& played, const Outcome& outcome) {
  const auto& summary = outcome.summary;
  const auto& stalls = outcome.stalls;
  json::object document{{"schema", "rightsize/simulation/1"},
                        {"status", "ok"},
                        {"throughput", to_json(throughput_of(played, summary))},
                        {"unit", played.unit},
                        {"items_per_s", summary.items_per_s * played.nodes},
                        {"analytic_items_per_s", outcome.analytic_items_per_s * played.nodes},
                        {"compute_share", stalls.compute},
                        {"exchange_share", stalls.exchange},
                        {"launch_share", stalls.launch},
                        {"copy_share", stalls.copy},
                        {"prep_stall_share", stalls.prep_stall},
                        {"fetch_stall_share", stalls.fetch_stall},
                        {"cpu_busy", summary.cpu_busy},
                        {"disk_busy", summary.disk_busy},
                        {"accelerator_busy", summary.accelerator_busy},
                        {"ready_batches_mean", summary.ready_batches_mean},
                        {"ready_batches_most", summary.ready_batches_most},
                        {"events", summary.events},
                        {"framework", or_null(played.framework)},
                        {"notes", json::value_from(played.notes)}};
  if (outcome.job) {
    document["job"] = to_json(*played.job, *outcome.job);
  }
  return document;
}

std::string notes_text(const Played& played) {
  std::string notes;
  for (const auto& note : played.notes) {
    notes += (notes.empty() ? "\n- " : "- ") + note + "\n";
  }
  return notes;
}

// A machine without an accelerator has vCPUs and a disk to keep busy.
std::string busy_text(const Played& played, const SimulationSummary& summary) {
  const bool on_cpus = played.setting.workload.engine == EngineKind::cpu;
  return fmt::format(
      "busy: cpu {}, disk {}{}\nminibatches ready for the {}: {} on average, {} at "
      "most\n",
      report::percent(summary.cpu_busy),
      report::percent(summary.disk_busy),
      on_cpus ? "" : ", accelerator " + report::percent(summary.accelerator_busy),
      on_cpus ? "network" : "accelerator",
      report::digits(summary.ready_batches_mean),
      summary.ready_batches_most);
}

std::string text(const Played& played, const Outcome& outcome) {
  const auto& summary = outcome.summary;
  const auto& stalls = outcome.stalls;
  const auto value = throughput_of(played, summary);
  return fmt::format(
      "~{} {} ({} … {}) over {} simulated items (the analytic model says ~{}) [{}]\n{}\n"
      "compute      {}\nexchange     {}\nlaunch       {}\ncopy         {}\nprep stall   {}\nfetch "
      "stall  {}\n\n{}{}",
      report::digits(value.value),
      played.unit,
      report::digits(value.low),
      report::digits(value.high),
      report::count(summary.items),
      report::digits(outcome.analytic_items_per_s * played.nodes),
      to_string(value.source),
      outcome.job ? text(*played.job, *outcome.job, played.unit) : "",
      report::percent(stalls.compute),
      report::percent(stalls.exchange),
      report::percent(stalls.launch),
      report::percent(stalls.copy),
      report::percent(stalls.prep_stall),
      report::percent(stalls.fetch_stall),
      busy_text(played, summary),
      notes_text(played));
}

// What playing an item takes. With a fraction of a vCPU its quota is renewed all the while, and
// what takes a part of the simulated time that is counted takes that part of all steps.
double steps_of_each(const Played& played, double quota_period_s) {
  constexpr double steps_of_period = 3;
  constexpr double with_warmup = 1.1;
  const double item_s = 1 / predicted_items_per_s(played.laws, played.setting);
  const bool of_quota = played.setting.cpus < std::ceil(played.setting.cpus);
  const double of_periods = of_quota ? steps_of_period * item_s / quota_period_s : 0;
  const double steps = std::max(steps_of_item + of_periods,
                                with_warmup * item_s / most_simulated_s * most_simulated_steps);
  const auto fewest = static_cast<double>(fewest_simulated_items(played.setting));
  if (fewest * steps > with_warmup * most_simulated_steps) {
    throw UsageError(fmt::format(
        "a minibatch of {} items takes ~{}, by the laws, and the simulator plays {} at least, "
        "which "
        "is more than it can count or play in some seconds; rightsize predict has the answer of "
        "the "
        "laws",
        report::count(static_cast<std::uint64_t>(played.setting.workload.batch)),
        report::duration(played.setting.workload.batch * item_s),
        report::count(static_cast<std::uint64_t>(fewest) /
                      static_cast<std::uint64_t>(std::max(1, played.setting.workload.batch)))));
  }
  return steps;
}

// Runs the simulator; the trace, where one is asked for, is of the steady state.
Outcome play(Context& context, const Values& values, const Played& played) {
  simulate::Trace trace;
  SimulationOptions simulation;
  simulation.items = simulated_items(values, 0, steps_of_each(played, simulation.quota_period_s));
  simulation.seed = values["seed"].as<std::uint64_t>();
  simulation.trace = values.count("trace") > 0 ? &trace : nullptr;
  Outcome outcome;
  outcome.summary = simulate_pipeline(played.laws, played.setting, simulation);
  simulation.trace = nullptr;
  outcome.stalls = simulated_stalls(played.laws, played.setting, simulation);
  outcome.analytic_items_per_s = predicted_items_per_s(played.laws, played.setting);
  if (played.job) {
    outcome.job = simulate_job(played.laws, played.job->rested, simulation, played.job->length);
  }
  if (values.count("trace") > 0) {
    const auto path = values["trace"].as<std::string>();
    const auto text = chrome_trace(trace, played.device);
    if (path == "-") {
      context.out << text;
    } else {
      write_file(path, text);
    }
    context.err << fmt::format("trace -> {} ({} spans)\n", path, trace.spans().size());
  }
  return outcome;
}

}  // namespace

int run_simulate_pipeline(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json"});
  if (!asks_machine(values)) {
    refuse_gpu_words(values);
  }
  const auto played = asks_machine(values) ? from_machine(values) : from_parts(values);
  if (!played.refused.reason.empty()) {
    emit(context,
         values,
         format == "json"
             ? json::serialize(report::refusal_to_json("rightsize/simulation/1", played.refused)) +
                   "\n"
             : report::refusal_text(played.refused));
    return exit_nothing_satisfies;
  }
  const auto outcome = play(context, values, played);
  emit(context,
       values,
       format == "json" ? json::serialize(to_json(played, outcome)) + "\n" : text(played, outcome));
  return exit_ok;
}

}  // namespace rightsize::cli
