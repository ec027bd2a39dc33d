#include "models/predict.h"

#include <span>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/help.h"
#include "advisor/cli/predict_batch.h"
#include "advisor/cli/service_commands.h"
#include "advisor/cli/setting_options.h"
#include "advisor/cli/token_commands.h"
#include "advisor/machine/batch_columns.h"
#include "advisor/machine/one_thread_note.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/runs.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/engine.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/program.h"
#include "models/carry.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

json::object setting_to_json(const Prediction& prediction,
                             const Estimate& estimate,
                             const std::vector<std::string>& notes) {
  json::object document{{"schema", "rightsize/estimate/1"},
                        {"status", "ok"},
                        {"throughput", to_json(estimate)},
                        {"cold_items_per_s", prediction.cold_items_per_s},
                        {"page_cache_hit_ratio", prediction.hit_ratio},
                        {"bottleneck", to_string(prediction.limited_by)},
                        {"bounds", report::bounds_to_json(prediction)}};
  json::array said;
  for (const auto& note : notes) {
    if (!note.empty()) {
      said.emplace_back(note);
    }
  }
  if (!said.empty()) {
    document["notes"] = std::move(said);
  }
  return document;
}

constexpr const char* unseen_data = "by its vCPUs alone, what it reads is not known";

// Nothing is known of what a program of the user's reads.
std::string answer_sentence(const Prediction& prediction,
                            const Estimate& estimate,
                            const std::string& unit,
                            bool program) {
  const auto rate = fmt::format("~{} {} ({} … {}), limited by {}",
                                report::digits(estimate.value),
                                unit,
                                report::digits(estimate.low),
                                report::digits(estimate.high),
                                to_string(prediction.limited_by));
  return program ? fmt::format("{}; {}.\n", rate, unseen_data)
                 : fmt::format("{}; first epoch ~{} {}; the page cache serves {} later.\n",
                               rate,
                               report::digits(prediction.cold_items_per_s),
                               unit,
                               report::percent(prediction.hit_ratio));
}

// What the answer is of, as its flags have it or by default.
std::string setting_words(const Values& values, const Setting& setting, bool program) {
  const auto& work = setting.workload;
  const auto memory = static_cast<double>(setting.memory_bytes) / bytes_per_gib;
  const auto machine =
      fmt::format("{:g} vCPU{}, {:.4g} GiB", setting.cpus, setting.cpus == 1 ? "" : "s", memory);
  if (work.phase == Phase::preprocess) {
    return fmt::format(
        "preprocessing, {} to {}, on {}\n", to_string(work.data), to_string(work.output), machine);
  }
  const bool by_rate = setting.accelerator_items_per_s > 0;
  return fmt::format(
      "{} {}, batch {}{}, on {}{}\n{}",
      work.network,
      by_rate ? std::string(to_string(work.phase))
              : fmt::format("{} {}", to_string(work.phase), to_string(work.precision)),
      work.batch,
      program ? "" : fmt::format(", {} data", to_string(work.data)),
      machine,
      by_rate ? fmt::format(" and an accelerator of {:g} items/s", setting.accelerator_items_per_s)
              : "",
      given(values, "network") || by_rate
          ? ""
          : "No network is named, and no machine: --network and --machine say which, --help the "
            "rest.\n");
}

void print_notes(Context& context, std::span<const std::string> notes) {
  for (const auto& note : notes) {
    if (!note.empty()) {
      context.err << context.err_style.bad("note:") << " " << note << "\n";
    }
  }
}

// --gpu-rate and its like describe one setting by its parts.
int predict_setting(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  std::string note;
  const auto model = model_or_shipped(values, note);
  auto setting = setting_from(values, model);
  read_output(values, setting);
  const bool stands_in = !note.empty();
  const auto format_note = stand_in_note(model, setting.workload);
  const bool carried = stands_in || !format_note.empty();
  const auto used = carried ? carried_model(model) : model;
  const Predictor predictor(used, setting.workload);
  SettingUncertainty uncertainty;
  uncertainty.cpu_speed = stands_in ? other_cpu_log_sd : 0;
  const auto prediction = predictor.predict(setting, uncertainty);
  const auto estimate = predictor.estimate(prediction, carried ? Source::assumed : Source::fitted);
  const bool program = is_program(setting.workload, model);
  const std::string unit(program ? "items/s" : report::rate_unit(setting.workload));
  const std::vector<std::string> notes{program ? unseen_data : note,
                                       elsewhere_note(values, model),
                                       format_note,
                                       one_thread_note(laws_of(used, setting.workload), setting)};
  const auto table = report::bounds_table(prediction, unit);
  const auto sentence = answer_sentence(prediction, estimate, unit, program);
  emit(context,
       values,
       format == "json"  ? json::serialize(setting_to_json(prediction, estimate, notes)) + "\n"
       : format == "csv" ? table.csv()
       : format == "md"
           ? table.markdown()
           : context.out_style.bold(sentence) + setting_words(values, setting, program) + "\n" +
                 table.text(context.out_style));
  if (stands_in) {
    context.err << context.err_style.bad("note:") << " " << note << "; the interval is wider\n";
  }
  print_notes(context, std::span(notes).subspan(1));
  return exit_ok;
}

// The configuration that is asked for. A program of the user's may go by its bare name.
Configuration asked_of(const Values& values) {
  try {
    return configuration_from(values);
  } catch (const UnknownNetwork&) {
    std::string note;
    Workload work;
    work.network = values["network"].as<std::string>();
    if (values.count("job") == 0 && is_program(work, model_or_shipped(values, note))) {
      auto named = values;
      named.at("network").value() = as_network(work.network);
      return configuration_from(named);
    }
    throw;
  }
}

int predict_machine(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const auto asked = asked_of(values);
  if (asked.service) {
    return predict_service(context, values, asked);
  }
  if (asked.tokens) {
    return predict_tokens(context, values, asked);
  }
  auto estimator = estimator_for(values, asked);
  const auto answer = estimator.estimate(asked);
  const bool fine = answer.verdict == Verdict::ok;
  const std::string unit = answer.throughput.unit;
  emit(context,
       values,
       format == "json"    ? json::serialize(report::estimate_to_json(asked, answer)) + "\n"
       : format == "table" ? report::estimate_text(asked, answer, context.out_style)
                           : report::rendered(fine ? report::bounds_table(answer.prediction, unit)
                                                   : report::refusal_table(answer),
                                              format,
                                              context.out_style));
  return fine ? exit_ok : exit_nothing_satisfies;
}

std::string column_lines() {
  constexpr std::size_t indent = 26;  // past the longest name
  const auto* heading =
      "columns of --batch-file, in any order, others pass through (in CSV a cell that a "
      "spreadsheet "
      "would compute, as =1+1, gets a ' before it); a cell under another key of a job file, or of "
      "a "
      "program that trains, that would change the answer, as attention or zero_stage 2, spoils its "
      "row:";
  auto text = help_lines(heading, 0, 2) + "\n";
  for (const auto& column : batch_columns()) {
    text += fmt::format("  {:<{}}{}\n{:{}}{}\n",
                        column.names[0],
                        indent - 2,
                        help_lines(column.expected, indent, indent),
                        "",
                        indent,
                        help_lines(fmt::format("blank: {}", column.blank), indent, indent));
  }
  return text;
}

}  // namespace

int run_predict(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_setting_options(options);
  add_asked_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()(
      "disk-write",
      po::value<std::string>()->default_value(""),
      "of preprocessing; empty = what it writes shares --disk-read with what it reads")(
      "preprocess-output",
      po::value<std::string>()->default_value("lmdb"),
      "what preprocessing writes: lmdb, recordio, tfrecord or jpeg")(
      "batch-file",
      po::value<std::string>(),
      "a CSV of configurations, or - for stdin: the same rows come back with "
      "throughput, low, high, unit, bottleneck, status (ok, out_of_memory, "
      "unsupported or invalid), reason (of ok: a caution), source and network_used (what the row's "
      "network was taken for)");
  Values values;
  try {
    values = parse(context, "predict", options, {"job"}, arguments);
  } catch (const HelpShown&) {
    context.out << "\n" << column_lines();
    throw;
  }
  if (values.count("batch-file") > 0) {
    return run_predict_batch(context, values);
  }
  if (!asks_machine(values)) {
    refuse_gpu_words(values);
  }
  return asks_machine(values) ? predict_machine(context, values) : predict_setting(context, values);
}

}  // namespace rightsize::cli
