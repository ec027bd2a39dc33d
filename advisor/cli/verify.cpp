// `verify`: the chosen machine, emulated here, against its prediction.
#include "advisor/verify.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/own_loader.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/option_choice.h"
#include "advisor/cli/verdict.h"
#include "advisor/cli/verify_service.h"
#include "advisor/cli/verify_tokens.h"
#include "advisor/report/option_text.h"
#include "advisor/report/runs.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/search.h"
#include "advisor/way_out/nothing_satisfies.h"
#include "kernels/networks/program.h"
#include "pricing/place.h"
#include "profiler/campaign/plan.h"
#include "profiler/measure/runner.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

const Option& option_wanted(const Recommendation& answer, const Values& values) {
  if (answer.options.empty()) {
    throw NothingSatisfies(nothing_words(answer, "there is nothing to verify"));
  }
  return option_meant(answer, values["option"].as<std::string>());
}

LocalData sample_from(const Values& values, const Query& query) {
  if (query.format == DataFormat::synthetic) {
    return {};
  }
  if (values.count("data-path") == 0) {
    throw UsageError(fmt::format(
        "which data? the job reads {}: name a part of it that lies here with --data-path, or make "
        "one with rightsize dataset make",
        to_string(query.format)));
  }
  LocalData sample;
  sample.path = values["data-path"].as<std::string>();
  const auto identity = identify_dataset(query.format, sample.path);
  if (identity.items == 0) {
    throw UsageError(
        fmt::format("--data-path {}: no {} data set there", sample.path, to_string(query.format)));
  }
  sample.items = identity.items;
  sample.bytes = identity.bytes;
  return sample;
}

double seconds_from(const Values& values) {
  const double seconds = values["seconds"].as<double>();
  if (!(seconds >= 1 && seconds <= 86'400)) {
    throw UsageError("--seconds: expected 1 to 86400");
  }
  return seconds;
}

std::string_view word_of(EpochKind epoch) {
  return epoch == EpochKind::first ? "first" : "later";
}

// Which epochs were compared; nothing where all are alike.
std::string epoch_line(const Verification& verdict) {
  switch (verdict.epoch) {
    case EpochKind::alike:
      return "";
    case EpochKind::later:
      return "  compared   second and later epochs, the page cache as full as there\n";
    case EpochKind::first:
      break;
  }
  return fmt::format(
      "  compared   the first epoch, read from the disk: it takes ~{} here, and the run had no "
      "time for a second; --seconds {:.0f} would compare the later ones\n",
      report::duration(verdict.first_epoch_s),
      std::ceil(3 * verdict.first_epoch_s));
}

std::string text_of(const Verification& verdict,
                    const VerificationRun& run,
                    const Record& record,
                    const Option& option) {
  const auto unit = report::rate_unit(run.spec.workload);
  auto text = fmt::format("{}: {} in {}, emulated here{}\n",
                          verdict_word(record, verdict.believed, verdict.inside),
                          option.instance,
                          region_name(option.region),
                          run.scale < 1 ? fmt::format(" at 1/{:.0f}", 1 / run.scale) : "");
  text += fmt::format("  predicted  ~{} {} ({} … {})\n",
                      report::digits(verdict.predicted.value),
                      unit,
                      report::digits(verdict.predicted.low),
                      report::digits(verdict.predicted.high));
  if (record.throughput.samples > 0) {
    // The first epoch as a whole has one rate, and no spread.
    const bool whole = verdict.epoch == EpochKind::first && record.cold_items_per_s;
    text += fmt::format("  measured    {}   ({:+.1f}%)\n",
                        whole ? fmt::format("{} {}", report::digits(verdict.measured), unit)
                              : report::rate_text(record),
                        100 * (verdict.measured / verdict.predicted.value - 1));
    text += epoch_line(verdict);
  }
  if (record.throughput.samples > 0 && verdict.epoch != EpochKind::first) {
    text += fmt::format("  so that machine: {} {} by this run, ~{} ({} … {}) by the answer\n",
                        report::digits(verdict.measured / run.scale),
                        unit,
                        report::digits(option.throughput.value),
                        report::digits(option.throughput.low),
                        report::digits(option.throughput.high));
    if (const auto why = why_apart(run, verdict, option.throughput.value, option.nodes);
        !why.empty()) {
      text += "                   " + why + "\n";
    }
  }
  if (!verdict.believed) {
    text += fmt::format("  {}: {}\n", to_string(record.status), record.reason);
  }
  return text;
}

// Null when the run gave no throughput.
json::value measured_json(const Record& record,
                          const VerificationRun& run,
                          const Verification& verdict) {
  const auto& rate = record.throughput;
  if (rate.samples == 0) {
    return nullptr;
  }
  constexpr double confidence = 0.95;                  // of Measured
  const bool whole = verdict.measured != rate.median;  // one epoch, which has no spread
  return to_json(Estimate{verdict.measured,
                          whole ? verdict.measured : rate.low,
                          whole ? verdict.measured : rate.high,
                          confidence,
                          std::string(report::rate_unit(run.spec.workload)),
                          Source::measured});
}

json::object json_of(const Verification& verdict,
                     const VerificationRun& run,
                     const Record& record,
                     const Option& option) {
  return {{"schema", "rightsize/verification/1"},
          {"verdict", verdict_word(record, verdict.believed, verdict.inside)},
          {"provider", option.provider},
          {"instance", option.instance},
          {"scale", run.scale},
          {"predicted", to_json(verdict.predicted)},
          {"measured", measured_json(record, run, verdict)},
          {"epoch",
           verdict.epoch == EpochKind::alike ? json::value(nullptr)
                                             : json::value(word_of(verdict.epoch))},
          {"answer", to_json(option.throughput)},
          {"notes", json::value_from(run.notes)},
          {"record", to_json(record)}};
}

void add_verify_options(Options& options) {
  add_query_options(options);
  add_model_option(options);
  add_store_option(options);
  add_output_options(options);
  options.add_options()("option",
                        po::value<std::string>()->default_value("1"),
                        "the N-th option of advise, or its machine's name")(
      "data-path", po::value<std::string>(), "a part of the data set, in the job's format")(
      "seconds", po::value<double>()->default_value(12), "of the run, at most");
}

// A replayed GPU whose minibatch takes longer than the run would be waited for all the same.
void require_steps(const VerificationRun& run, double seconds) {
  constexpr double fewest = 3;
  const auto& work = run.spec.workload;
  const double step_s = work.replay_items_per_s > 0 ? work.batch / work.replay_items_per_s : 0;
  if (step_s * fewest > seconds) {
    throw UsageError(fmt::format(
        "a minibatch of {} takes {} at the speed of that GPU, and {:g} s are too few for {:g}: "
        "--seconds {:.0f} waits for them",
        work.batch,
        report::duration(step_s),
        seconds,
        fewest,
        std::ceil(2 * fewest * step_s)));
  }
}

// The run that stands for the candidate's machine, and what is said before it.
VerificationRun announced_run(Context& context,
                              const Candidate& candidate,
                              const Model& model,
                              const LocalData& sample,
                              double seconds) {
  const auto here = describe_this_machine();
  auto run = verification_run(candidate, model, sample, here);
  run.spec.stop.max_s = seconds;
  if (machine_key(here) != model.machine) {
    run.notes.push_back(fmt::format(
        "the model was fitted on {}: its vCPUs are taken for those here", model.machine));
  }
  for (const auto& note : run.notes) {
    context.err << note << "\n";
  }
  require_steps(run, seconds);
  static_cast<void>(Predictor(model, run.spec.workload));  // throws before a run for nothing
  context.err << report::run_label(run.spec) << "\n";
  return run;
}

// Which rightsize cannot run by itself; profile emulates the machine around it.
void refuse_program(const Query& query) {
  if (const auto program = program_named(query.network)) {
    throw UsageError(fmt::format(
        "network {0}: verify runs rightsize's own kernels, and not your program; rightsize profile "
        "--as aws/c7a.large --items-per-step 64 --steps 'regex:step (\\d+)' -- python3 {1} runs it "
        "under the limits of an instance",
        query.network,
        *program));
  }
}

}  // namespace

int run_verify(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_verify_options(options);
  const auto values = parse(context, "verify", options, {"job"}, arguments);
  const auto format = output_format(values, {"table", "json"});
  auto query = query_from(values, "verify");
  refuse_program(query);
  const auto sample = query.serves() ? LocalData{} : sample_from(values, query);
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto evidence = knowledge.evidence();
  SearchOptions search_options;
  search_options.max_options = every_option;
  const auto answer = search(query, evidence, search_options);
  const auto& option = option_wanted(answer, values);
  const double seconds = seconds_from(values);
  if (query.tokens) {
    refuse_tokens(query, option);
  }
  if (query.writing.of_texts()) {
    refuse_texts(query, option);
  }
  if (query.service) {
    return verify_service(context, values, query, evidence, option);
  }
  const auto candidate = candidate_of(option, query, evidence);
  const auto model = model_of_run(candidate, query, evidence);
  if (is_program_loader(query.loader)) {
    context.err << context.err_style.bad("note:")
                << fmt::format(" the run loads by rightsize's own loader, not by {}\n",
                               query.loader);
  }
  const auto run = announced_run(context, candidate, model, sample, seconds);
  auto store = open_store(values);  // before the run: what was measured must not be lost
  const auto record = run_one(run.spec);
  store.append(record);
  const auto verdict = verification_of(run, candidate, model, record);
  emit(context,
       values,
       format == "json" ? json::serialize(json_of(verdict, run, record, option)) + "\n"
                        : text_of(verdict, run, record, option));
  return exit_of_run(record, verdict.believed, verdict.inside);
}

}  // namespace rightsize::cli
