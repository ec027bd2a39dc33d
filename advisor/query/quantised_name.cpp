#include "advisor/query/quantised_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "advisor/query/words.h"
#include "kernels/network.h"

namespace rightsize {
namespace {

// In small letters; longer ones before those that they end in.
constexpr std::array<std::pair<std::string_view, WeightFormat>, 24> endings{{
    {"-awq-int4", WeightFormat::int4},
    {"-awq-marlin", WeightFormat::int4},
    {"-awq", WeightFormat::int4},
    {"-gptq-int8", WeightFormat::int8},
    {"-gptq-int4", WeightFormat::int4},
    {"-gptq-4bit", WeightFormat::int4},
    {"-gptq", WeightFormat::int4},
    {"-quantized.w4a16", WeightFormat::int4},
    {"-quantized.w8a16", WeightFormat::int8},
    {"-quantized.w8a8", WeightFormat::int8},
    {"-w4a16", WeightFormat::int4},
    {"-w8a8", WeightFormat::int8},
    {"-bnb-4bit", WeightFormat::int4},
    {"-4bit", WeightFormat::int4},
    {"-8bit", WeightFormat::int8},
    {"-int4", WeightFormat::int4},
    {"-int8", WeightFormat::int8},
    {"-fp8-dynamic", WeightFormat::fp8},
    {"-fp8-block", WeightFormat::fp8},
    {"-fp8", WeightFormat::fp8},
    {"-nvfp4", WeightFormat::nvfp4},
    {"-fp4", WeightFormat::nvfp4},
    {"-mxfp4", WeightFormat::mxfp4},
    {"-gguf", WeightFormat::int4},  // llama.cpp's usual files, Q4_K_M
}};

bool is_built_in(const std::string& network) {
  try {
    static_cast<void>(make_network(network));
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

std::optional<QuantisedName> quantised_name(std::string_view said) {
  std::string small(said);
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  const auto ending = std::find_if(endings.begin(), endings.end(), [&](const auto& one) {
    return small.size() > one.first.size() && small.ends_with(one.first);
  });
  if (ending == endings.end() || is_built_in(network_meant(said))) {
    return std::nullopt;
  }
  auto network = network_meant(said.substr(0, said.size() - ending->first.size()));
  if (!is_built_in(network)) {
    return std::nullopt;
  }
  return QuantisedName{std::move(network), ending->second};
}

}  // namespace rightsize
