#include <algorithm>
#include <array>
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

struct Quantity {
  const char* title;
  const char* unit;
  const char* key;  // of programs, which read the number alone
  double GpuSpec::*value;
};

constexpr std::array quantities{
    Quantity{"memory", "GB", "memory_gb", &GpuSpec::memory_gb},
    Quantity{"bandwidth", "GB/s", "bandwidth_gbs", &GpuSpec::bandwidth_gbs},
    Quantity{"fp32", "TF", "fp32_tflops", &GpuSpec::fp32_tflops},
    Quantity{"tf32", "TF", "tf32_tflops", &GpuSpec::tf32_tflops},
    Quantity{"fp16", "TF", "fp16_tflops", &GpuSpec::fp16_tflops},
    Quantity{"tdp", "W", "tdp_w", &GpuSpec::tdp_w}};

std::string cell(const Quantity& quantity, const GpuSpec& gpu, bool of_programs) {
  const double value = gpu.*quantity.value;
  return value <= 0    ? "—"
         : of_programs ? fmt::format("{}", value)
                       : fmt::format("{} {}", report::digits(value), quantity.unit);
}

report::Table gpu_table(const GpuRates& rates, const std::string& only, bool of_programs) {
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
  std::vector<report::Column> columns{{"gpu"}, {"arch"}};
  for (const auto& quantity : quantities) {
    columns.push_back({of_programs ? quantity.key : quantity.title, report::Align::right});
  }
  columns.push_back({"figures", report::Align::right});
  columns.push_back({"source"});
  report::Table table(std::move(columns));
  for (const auto& gpu : rates.gpus()) {
    if (!only.empty() && gpu.name != only) {
      continue;
    }
    std::vector<std::string> cells{gpu.name, gpu.arch};
    for (const auto& quantity : quantities) {
      cells.push_back(cell(quantity, gpu, of_programs));
    }
    cells.push_back(std::to_string(figures[gpu.name]));
    cells.push_back(gpu.source);
    table.add(std::move(cells));
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
    const auto gpus = render(gpu_table(rates, only, format == "json" || format == "csv"));
    text = figures.empty() ? gpus : with_figures(gpus, render(figures), format);
    text += format == "table" || format == "md" ? unnamed_shapes(only) : "";
  }
  emit(context, values, text);
  return exit_ok;
}

}  // namespace rightsize::cli
