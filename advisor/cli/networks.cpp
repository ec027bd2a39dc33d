#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/onnx_report.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/work.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

json::object network_to_json(const Network& network, const NetworkInfo& info) {
  return {{"name", network.name},
          {"title", network.title},
          {"input", {network.input.c, network.input.h, network.input.w}},
          {"parameters", parameter_count(network)},
          {"forward_flops", forward_flops(network)},
          {"training_flops", training_flops(network)},
          {"activation_elements", activation_elements(network)},
          {"train_memory_bytes_batch_32",
           device_memory_bytes(network, Phase::train, Precision::fp32, 32)},
          {"infer_memory_bytes_batch_32",
           device_memory_bytes(network, Phase::infer, Precision::fp32, 32)},
          {"source", info.source}};
}

}  // namespace

int run_networks(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  options.add_options()("onnx",
                        boost::program_options::value<std::string>(),
                        "a network of yours: its layers, its work, and what cannot be run");
  const auto values = parse(context, "networks", options, {}, arguments);
  if (values.count("onnx") > 0) {
    return show_onnx(context, values, values["onnx"].as<std::string>());
  }
  const auto format = output_format(values, {"table", "json", "csv", "md", "names"});
  report::Table table({{"name"},
                       {"network"},
                       {"input"},
                       {"parameters", report::Align::right},
                       {"GFLOPs fwd", report::Align::right},
                       {"train, batch 32", report::Align::right},
                       {"infer, batch 32", report::Align::right},
                       {"source"}});
  json::array list;
  std::string names;
  for (const auto& info : builtin_networks()) {
    const Network network = info.make(info.sequence);
    list.push_back(network_to_json(network, info));
    names += network.name + "\n";
    const auto memory = [&](Phase phase) {
      return report::bytes(
          static_cast<double>(device_memory_bytes(network, phase, Precision::fp32, 32)));
    };
    table.add({network.name,
               network.title,
               fmt::format("{}x{}x{}", network.input.c, network.input.h, network.input.w),
               fmt::format("{:.2f} M", static_cast<double>(parameter_count(network)) / 1e6),
               report::digits(forward_flops(network) / 1e9),
               memory(Phase::train),
               memory(Phase::infer),
               std::string(info.source)});
  }
  emit(context,
       values,
       format == "json"    ? json::serialize(list) + "\n"
       : format == "csv"   ? table.csv()
       : format == "md"    ? table.markdown()
       : format == "names" ? names
                           : table.text(context.out_style));
  return exit_ok;
}

}  // namespace rightsize::cli
