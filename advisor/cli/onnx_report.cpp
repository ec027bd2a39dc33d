#include "advisor/cli/onnx_report.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/onnx/onnx.h"
#include "kernels/work.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

const UnsupportedOperator* unsupported_row(const OnnxReport& report, const std::string& op) {
  const auto found = std::find_if(report.unsupported.begin(),
                                  report.unsupported.end(),
                                  [&](const auto& row) { return row.op == op; });
  return found == report.unsupported.end() ? nullptr : &*found;
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "unknown";
}

json::value optional_number(const std::optional<double>& number) {
  return number ? json::value(*number) : json::value(nullptr);
}

json::array sentences(const std::vector<std::string>& list) {
  json::array array;
  for (const auto& sentence : list) {
    array.push_back(json::value(sentence));
  }
  return array;
}

json::object to_json(const OnnxModel& model, const MemoryAsked& asked) {
  const auto& report = model.report;
  json::object operators;
  for (const auto& [op, count] : report.operators) {
    operators[op] = count;
  }
  json::array unsupported;
  for (const auto& row : report.unsupported) {
    unsupported.push_back({{"operator", row.op},
                           {"nodes", row.count},
                           {"forward_flops", optional_number(row.flops)},
                           {"share_of_flops", optional_number(report.share(row))},
                           {"reason", row.why},
                           {"first_node", row.first}});
  }
  json::object object{{"schema", "rightsize/onnx/1"},
                      {"path", report.path},
                      {"producer", report.producer},
                      {"opset", report.opset},
                      {"runnable", report.runnable()},
                      {"operators", operators},
                      {"unsupported", unsupported},
                      {"unexamined_nodes", report.unexamined},
                      {"supported_forward_flops", report.supported_flops},
                      {"obstacles", sentences(report.obstacles)},
                      {"notes", sentences(report.notes)}};
  if (model.network) {
    const auto& in = model.network->input;
    object["input"] = {in.c, in.h, in.w};
    object["classes"] = model.network->classes;
    object["layers"] = model.network->layers.size();
    object["parameters"] = parameter_count(*model.network);
    object["forward_flops"] = forward_flops(*model.network);
    object["training_flops"] = training_flops(*model.network);
    object["batch"] = asked.batch;
    object["precision"] = to_string(asked.precision);
    const auto memory = [&](Phase phase) {
      return device_memory_bytes(*model.network, phase, asked.precision, asked.batch);
    };
    object["memory_bytes"] = {{"train", memory(Phase::train)}, {"infer", memory(Phase::infer)}};
  }
  return object;
}

report::Table operator_table(const OnnxReport& report) {
  report::Table table({{"operator"},
                       {"nodes", report::Align::right},
                       {"not run", report::Align::right},
                       {"share of FLOPs", report::Align::right},
                       {"why"}});
  for (const auto& row : report.unsupported) {
    table.add({row.op,
               fmt::format("{}", report.operators.at(row.op)),
               fmt::format("{}", row.count),
               percent(report.share(row)),
               fmt::format("{} (first: {})", row.why, row.first)});
  }
  for (const auto& [op, count] : report.operators) {
    if (unsupported_row(report, op) == nullptr) {
      table.add({op, fmt::format("{}", count), "0", "", ""});
    }
  }
  return table;
}

std::string summary(const OnnxModel& model, const MemoryAsked& asked) {
  const auto& report = model.report;
  const auto origin = fmt::format("{}: ONNX opset {}{}",
                                  report.path,
                                  report.opset,
                                  report.producer.empty() ? "" : ", by " + report.producer);
  if (!model.network) {
    return fmt::format("{}\n{} cannot be run.\n\n", origin, report.path);
  }
  const auto& network = *model.network;
  const auto memory = [&](Phase phase) {
    return report::bytes(
        static_cast<double>(device_memory_bytes(network, phase, asked.precision, asked.batch)));
  };
  return fmt::format(
      "{}\n{}, {:.2f} M parameters, input {}, {} classes\n{} GFLOPs forward per item; "
      "at batch {} in {} {} to train, {} to infer\n\n",
      origin,
      report::count_of(network.layers.size(), "layer"),
      static_cast<double>(parameter_count(network)) / 1e6,
      network.reads_tokens()
          ? fmt::format("{} tokens", network.input.positions())
          : fmt::format("{}x{}x{}", network.input.c, network.input.h, network.input.w),
      network.classes,
      report::digits(forward_flops(network) / 1e9),
      asked.batch,
      to_string(asked.precision),
      memory(Phase::train),
      memory(Phase::infer));
}

std::string remarks(const OnnxReport& report) {
  std::string text;
  for (const auto& obstacle : report.obstacles) {
    text += fmt::format("\ncannot run: {}", obstacle);
  }
  if (report.unexamined > 0) {
    text += fmt::format(
        "\nNOTE: {} more nodes lie behind one whose output shape is unknown and were not judged",
        report.unexamined);
  }
  for (const auto& note : report.notes) {
    text += fmt::format("\nNOTE: {}", note);
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

int show_onnx(Context& context,
              const Values& values,
              const std::string& path,
              int sequence,
              const MemoryAsked& asked) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const auto model = load_onnx(path, sequence);
  const auto table = operator_table(model.report);
  emit(context,
       values,
       format == "json"  ? json::serialize(to_json(model, asked)) + "\n"
       : format == "csv" ? table.csv()
       : format == "md"
           ? table.markdown()
           : summary(model, asked) + table.text(context.out_style) + remarks(model.report));
  return model.network ? exit_ok : exit_failed;
}

}  // namespace rightsize::cli
