#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/calibration.h"
#include "advisor/cli/command.h"
#include "advisor/query/toml_fields.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/network.h"
#include "models/laws/neuron.h"
#include "models/laws/published_rate.h"
#include "models/laws/tpu.h"

namespace rightsize::cli {
namespace {

std::string known(double value, const char* unit) {
  return value > 0 ? report::digits(value) + unit : "—";
}

report::Table gpu_table(const GpuRates& rates, const std::string& only) {
  std::map<std::string, int> figures;
  for (const auto& rate : rates.published()) {
    ++figures[rate.gpu];
  }
  for (const auto& rate : neuron_figures()) {
    ++figures[rate.gpu];
  }
  for (const auto& rate : tpu_figures()) {
    ++figures[rate.gpu];
  }
  report::Table table({{"gpu"},
                       {"arch"},
                       {"memory", report::Align::right},
                       {"bandwidth", report::Align::right},
                       {"fp32", report::Align::right},
                       {"tf32", report::Align::right},
                       {"fp16", report::Align::right},
                       {"tdp", report::Align::right},
                       {"figures", report::Align::right},
                       {"source"}});
  for (const auto& gpu : rates.gpus()) {
    if (!only.empty() && gpu.name != only) {
      continue;
    }
    table.add({gpu.name,
               gpu.arch,
               known(gpu.memory_gb, " GB"),
               known(gpu.bandwidth_gbs, " GB/s"),
               known(gpu.fp32_tflops, " TF"),
               known(gpu.tf32_tflops, " TF"),
               known(gpu.fp16_tflops, " TF"),
               known(gpu.tdp_w, " W"),
               std::to_string(figures[gpu.name]),
               gpu.source});
  }
  return table;
}

// Of a sequence; of what reads none "—".
std::string tokens(int sequence) {
  return sequence > 0 ? std::to_string(sequence) : "—";
}

// Of chips whose programs are compiled whole.
void add_compiled_figures(const std::string& gpu, report::Table& table) {
  for (const auto& rate : neuron_figures()) {
    if (rate.gpu == gpu) {
      table.add({rate.network,
                 tokens(rate.sequence),
                 std::string(to_string(rate.phase)),
                 "bf16",
                 std::to_string(rate.batch),
                 report::digits(rate.items_per_s),
                 "current",
                 "PyTorch (AWS Neuron " + rate.version + ")",
                 rate.source});
    }
  }
  for (const auto& rate : tpu_figures()) {
    if (rate.gpu == gpu) {
      table.add({rate.network,
                 tokens(rate.sequence),
                 "train",
                 "bf16",
                 std::to_string(rate.batch),
                 report::digits(rate.tokens_per_s / rate.sequence),
                 "current",
                 fmt::format("JAX (MaxText) on {} chips, of each", rate.chips),
                 rate.source});
    }
  }
}

// Figures of shapes that no command knows by name, in words; empty where there are none.
std::string unnamed_shapes(const std::string& gpu) {
  std::set<std::string> shapes;
  for (const auto& rate : tpu_figures()) {
    if (rate.gpu == gpu && !is_network(rate.network)) {
      shapes.insert(rate.network);
    }
  }
  return shapes.empty() ? ""
                        : fmt::format(
                              "{}: of a shape that MaxText ran, and no network that "
                              "--network knows by name\n",
                              fmt::join(shapes, ", "));
}

report::Table figure_table(const GpuRates& rates, const std::string& gpu) {
  report::Table table({{"network"},
                       {"tokens", report::Align::right},
                       {"phase"},
                       {"precision"},
                       {"batch", report::Align::right},
                       {"items/s", report::Align::right},
                       {"stack"},
                       {"framework"},
                       {"source"}});
  for (const auto& rate : rates.published()) {
    if (rate.gpu == gpu) {
      table.add({rate.network,
                 tokens(resolved_sequence(rate.network, rate.sequence)),
                 std::string(to_string(rate.phase)),
                 std::string(to_string(rate.precision)),
                 std::to_string(rate.batch),
                 report::digits(rate.items_per_s),
                 std::string(to_string(rate.stack)),
                 rate.framework,
                 rate.source});
    }
  }
  add_compiled_figures(gpu, table);
  return table;
}

// Of one GPU; rows for programs are those of its figures, as its own are among those of all.
std::string with_figures(const std::string& gpu,
                         const std::string& figures,
                         const std::string& format) {
  return format == "csv"    ? figures
         : format == "json" ? fmt::format("{{\"gpu\": {}, \"figures\": {}}}\n",
                                          gpu.substr(0, gpu.find_last_not_of('\n') + 1),
                                          figures.substr(0, figures.find_last_not_of('\n') + 1))
                            : gpu + "\n" + figures;
}

}  // namespace

int run_gpus(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  options.add_options()("name", boost::program_options::value<std::string>(), "one GPU only");
  const auto values = parse(context, "gpus", options, {"name"}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md", "names"});
  const auto rates = shipped_gpu_rates();
  std::string only = values.count("name") > 0 ? values["name"].as<std::string>() : "";
  std::vector<std::string> names;
  for (const auto& gpu : rates.gpus()) {
    names.push_back(gpu.name);
  }
  if (!only.empty() && rates.find(only) == nullptr) {
    const auto near = nearest_word(only, names);
    throw UsageError(fmt::format("no GPU \"{}\" in the table{}",
                                 only,
                                 near.empty() ? "; rightsize gpus -o names lists those it has"
                                              : fmt::format(", did you mean \"{}\"?", near)));
  }
  if (!only.empty()) {
    only = rates.find(only)->name;  // of any spelling
  }
  const auto render = [&](const report::Table& table) {
    return report::rendered(table, format, context.out_style);
  };
  std::string text;
  if (format == "names") {
    for (const auto& name : names) {
      text += only.empty() || name == only ? name + "\n" : "";
    }
  } else {
    const auto figures = figure_table(rates, only);
    const auto gpus = render(gpu_table(rates, only));
    text = figures.empty() ? gpus : with_figures(gpus, render(figures), format);
    text += format == "table" || format == "md" ? unnamed_shapes(only) : "";
  }
  emit(context, values, text);
  return exit_ok;
}

}  // namespace rightsize::cli
