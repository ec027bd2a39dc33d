#include "kernels/networks/language_models.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <boost/json.hpp>

#include "kernels/networks/config_file.h"
#include "kernels/networks/published_weights.h"
#include "rightsize_language_models.h"  // generated: the table's bytes

namespace rightsize {
namespace {

namespace json = boost::json;

std::vector<LanguageModel> read_all() {
  std::vector<LanguageModel> all;
  const auto table = json::parse(embedded::language_models_json());
  for (const auto& [key, value] : table.as_object()) {
    const std::string name(key);
    const auto& row = value.as_object();
    const std::string title(row.at("title").as_string());
    const ConfigFile file(name, row.at("config").as_object());
    auto config = read_language_model(file, name);
    std::visit([&](auto& one) { one.title = title; }, config);
    all.push_back({name,
                   title,
                   std::string(row.at("source").as_string()),
                   std::move(config),
                   checkpoint_weights(file)});
  }
  return all;
}

}  // namespace

LanguageModelConfig read_language_model(const ConfigFile& file, const std::string& name) {
  if (is_causal(file)) {
    return read_causal(file, name);
  }
  if (is_hybrid(file)) {
    return read_hybrid(file, name);
  }
  if (is_gemma3n(file)) {
    return read_gemma3n(file, name);
  }
  if (is_gemma4(file)) {
    return read_gemma4(file, name);
  }
  return read_llama(file, name);
}

std::int64_t context_of(const LanguageModelConfig& config) {
  return std::visit([](const auto& one) { return one.context; }, config);
}

std::span<const LanguageModel> language_models() {
  static const auto all = read_all();
  return all;
}

const LanguageModel* language_model(std::string_view name) {
  const auto all = language_models();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Network make_language_model(const LanguageModelConfig& config, int sequence) {
  const auto usual = std::min<std::int64_t>(usual_context, context_of(config));
  const int length = sequence > 0 ? sequence : static_cast<int>(usual);
  if (const auto* const llama = std::get_if<LlamaConfig>(&config)) {
    return make_llama(*llama, length);
  }
  if (const auto* const hybrid = std::get_if<HybridConfig>(&config)) {
    return make_hybrid(*hybrid, length);
  }
  if (const auto* const gemma = std::get_if<Gemma3nConfig>(&config)) {
    return make_gemma3n(*gemma, length);
  }
  return make_causal(std::get<CausalConfig>(config), length);
}

}  // namespace rightsize
