#include "kernels/onnx/onnx.h"

#include <filesystem>

#include <fmt/format.h>

#include "kernels/networks/config_file.h"
#include "kernels/onnx/graph_import.h"
#include "kernels/onnx/reader.h"

namespace rightsize {

bool is_onnx_path(std::string_view name) {
  constexpr std::string_view extension = ".onnx";
  return name.size() > extension.size() && name.substr(name.size() - extension.size()) == extension;
}

bool is_network_file(std::string_view name) {
  return is_onnx_path(name) || is_config_path(without_form(name));
}

std::string rooted_network(const std::string& name, const std::string& folder) {
  namespace fs = std::filesystem;
  return is_network_file(name) ? fs::absolute(fs::path(folder) / name).lexically_normal().string()
                               : name;
}

OnnxModel load_onnx(const std::string& path, int sequence) {
  return onnx::GraphImport(onnx::read_model(path), sequence).run();
}

std::optional<double> OnnxReport::share(const UnsupportedOperator& row) const {
  double sum = supported_flops;
  for (const auto& other : unsupported) {
    sum += other.flops.value_or(0);
  }
  return row.flops ? std::optional(sum > 0 ? *row.flops / sum : 0) : std::nullopt;
}

std::string OnnxReport::reason() const {
  std::string text;
  for (const auto& obstacle : obstacles) {
    text += fmt::format("{}{}", text.empty() ? "" : "; ", obstacle);
  }
  for (const auto& row : unsupported) {
    const auto part = share(row);
    text +=
        fmt::format("{}{} x {} ({} of the FLOPs; {} at \"{}\")",
                    text.empty() ? "no layer for " : ", ",
                    row.count,
                    row.op,
                    part ? fmt::format("{:.1f} %", 100 * *part) : std::string("an unknown share"),
                    row.why,
                    row.first);
  }
  return text;
}

}  // namespace rightsize
