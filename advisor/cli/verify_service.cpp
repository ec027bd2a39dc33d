#include "advisor/cli/verify_service.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/verdict.h"
#include "advisor/report/runs.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/service/service_verify.h"
#include "profiler/measure/runner.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

constexpr double enough_requests = 1000;  // for a 99th percentile worth comparing
constexpr double fewest_requests = 100;   // whose latest is their 99th percentile
constexpr double longest_s = 600;

// As asked, or until enough requests have come.
double seconds_of(const Values& values, const Query& query, const Option& option, double scale) {
  const double seconds = values["seconds"].as<double>();
  if (!values["seconds"].defaulted()) {
    return seconds;
  }
  const double replicas =
      static_cast<double>(option.service->machines) * option.service->server.replicas;
  const double asked_per_s = query.service->requests_per_s / replicas * std::min(1.0, scale);
  return std::clamp(enough_requests / asked_per_s, seconds, longest_s);
}

// A replica that few ask is not listened to for minutes that say nothing, unless it is meant.
void require_requests(const Values& values,
                      const Query& query,
                      const Option& option,
                      const RunSpec& spec) {
  const double each_s = 1 / spec.workload.requests->per_s;
  const double come = spec.stop.max_s / each_s;
  if (values["seconds"].defaulted() && come < fewest_requests) {
    throw UsageError(fmt::format(
        "in {} only ~{:.0f} requests come to one replica, too few for a 99th percentile: rightsize "
        "simulate {} --machine {}/{} plays its queue at once; --seconds {:.0f} waits here for {:g}",
        report::duration(spec.stop.max_s),
        come,
        query.file,
        option.provider,
        option.instance,
        std::ceil(fewest_requests * each_s),
        fewest_requests));
  }
}

std::string answered_line(const ServiceRun& run, const ServiceVerification& verdict) {
  return fmt::format("  answered   {} of ~{} requests/s{}\n",
                     report::digits(verdict.answered_per_s),
                     report::digits(run.answered.value),
                     verdict.answers ? "" : "  <= it falls behind");
}

std::string text_of(const ServiceVerification& verdict,
                    const ServiceRun& run,
                    const Record& record,
                    const Option& option) {
  const auto replicas = static_cast<std::uint64_t>(option.service->machines) *
                        static_cast<std::uint64_t>(option.service->server.replicas);
  auto text = fmt::format("{}: one of {} of {} x {}, emulated here{}\n",
                          verdict_word(record, verdict.believed, verdict.passes()),
                          report::count_of(replicas, "replica"),
                          option.service->machines,
                          option.instance,
                          run.scale < 1 ? fmt::format(" at 1/{:.0f}", 1 / run.scale) : "");
  text += fmt::format("  predicted  p99 {}\n", report::latency_text(run.p99));
  if (record.served) {
    const double change = 100 * (verdict.p99_s / run.p99.value - 1);
    text +=
        fmt::format("  measured   p99  {}   ({:+.1f}%)\n", report::latency(verdict.p99_s), change);
    text += answered_line(run, verdict);
    const bool one = option.service->machines * option.service->server.replicas == 1;
    text += fmt::format("  so such a replica: p99 {} by this run; the answer has {}{}\n",
                        report::latency(verdict.p99_s * run.scale),
                        report::latency_text(option.p99),
                        one ? "" : " for all of them, which share a queue and wait less");
  }
  if (!verdict.believed) {
    text += fmt::format("  {}: {}\n", to_string(record.status), record.reason);
  }
  return text;
}

json::object json_of(const ServiceVerification& verdict,
                     const ServiceRun& run,
                     const Record& record,
                     const Option& option) {
  json::value measured = nullptr;
  if (record.served) {
    const auto& served = *record.served;
    constexpr double confidence = 0.95;  // of Served
    measured = to_json(Estimate{served.p99_s,
                                served.p99_low_s,
                                served.p99_high_s.value_or(HUGE_VAL),
                                confidence,
                                "s",
                                Source::measured});
  }
  return {{"schema", "rightsize/verification/1"},
          {"verdict", verdict_word(record, verdict.believed, verdict.passes())},
          {"provider", option.provider},
          {"instance", option.instance},
          {"machines", option.service->machines},
          {"scale", run.scale},
          {"predicted", to_json(run.p99)},
          {"measured", measured},
          {"offered", to_json(run.answered)},
          {"answered_per_s",
           record.served ? json::value(verdict.answered_per_s) : json::value(nullptr)},
          {"answer", to_json(option.p99)},
          {"notes", json::value_from(run.notes)},
          {"record", to_json(record)}};
}

}  // namespace

int verify_service(Context& context,
                   const Values& values,
                   const Query& query,
                   const Evidence& evidence,
                   const Option& option) {
  const auto candidate = candidate_of(option, query, evidence);
  const auto here = describe_this_machine();
  const double at_full_speed_s = seconds_of(values, query, option, 1);
  auto run = service_run(option, candidate, query, evidence.model, here, at_full_speed_s);
  // A slower emulation is asked for fewer requests a second, and takes longer to get enough.
  run.spec.stop.max_s += seconds_of(values, query, option, run.scale) - at_full_speed_s;
  for (const auto& note : run.notes) {
    context.err << note << "\n";
  }
  require_requests(values, query, option, run.spec);
  context.err << fmt::format(
      "{}, for {}\n", report::run_label(run.spec), report::duration(run.spec.stop.max_s));
  auto store = open_store(values);  // before the run: what was measured must not be lost
  const auto record = run_one(run.spec);
  store.append(record);
  const auto verdict = service_verification(run, record);
  emit(context,
       values,
       output_format(values, {"table", "json"}) == "json"
           ? json::serialize(json_of(verdict, run, record, option)) + "\n"
           : text_of(verdict, run, record, option));
  return exit_of_run(record, verdict.believed, verdict.passes());
}

}  // namespace rightsize::cli
