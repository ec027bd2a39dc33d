#include "kernels/adapters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace rightsize {
namespace {

struct ProjectionName {
  Projection projection;
  std::string_view name;
};

constexpr std::array<ProjectionName, 8> projection_names{{{Projection::all_linear, "all-linear"},
                                                          {Projection::q_proj, "q_proj"},
                                                          {Projection::k_proj, "k_proj"},
                                                          {Projection::v_proj, "v_proj"},
                                                          {Projection::o_proj, "o_proj"},
                                                          {Projection::gate_proj, "gate_proj"},
                                                          {Projection::up_proj, "up_proj"},
                                                          {Projection::down_proj, "down_proj"}}};

// What other families' programs call them, in small letters: GPT-2, GPT-NeoX and Falcon and BLOOM,
// MPT, Phi and OPT, Phi-3, BERT. One name may be several of ours, and GPT-2 calls two alike.
constexpr auto queries_keys_values = Projection::q_proj | Projection::k_proj | Projection::v_proj;
constexpr std::array<ProjectionName, 19> other_names{
    {{queries_keys_values, "c_attn"},
     {Projection::o_proj | Projection::down_proj, "c_proj"},
     {Projection::up_proj, "c_fc"},
     {queries_keys_values, "query_key_value"},
     {Projection::o_proj, "dense"},
     {Projection::up_proj, "dense_h_to_4h"},
     {Projection::down_proj, "dense_4h_to_h"},
     {queries_keys_values, "wqkv"},
     {Projection::o_proj, "out_proj"},
     {Projection::up_proj, "fc1"},
     {Projection::down_proj, "fc2"},
     {queries_keys_values, "qkv_proj"},
     {Projection::gate_proj | Projection::up_proj, "gate_up_proj"},
     {Projection::q_proj, "query"},
     {Projection::k_proj, "key"},
     {Projection::v_proj, "value"},
     {Projection::gate_proj, "w1"},
     {Projection::down_proj, "w2"},
     {Projection::up_proj, "w3"}}};

// none where nobody calls any of them so.
Projection projection_called(std::string_view word) {
  const auto called = [&](const ProjectionName& one) { return one.name == word; };
  const auto* ours = std::find_if(projection_names.begin(), projection_names.end(), called);
  if (ours != projection_names.end()) {
    return ours->projection;
  }
  const auto* other = std::find_if(other_names.begin(), other_names.end(), called);
  return other == other_names.end() ? Projection::none : other->projection;
}

// The text before `mark`, which is taken off `rest` together with it.
std::string_view next_word(std::string_view& rest, char mark) {
  const auto end = std::min(rest.find(mark), rest.size());
  const auto word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

std::optional<Projection> parse_projections(std::string_view rest) {
  if (rest.empty() || rest.ends_with('+')) {
    return std::nullopt;
  }
  auto all = Projection::none;
  while (!rest.empty()) {
    const auto word = next_word(rest, '+');
    const auto called = projection_called(word);
    if (called == Projection::none || has(all, called)) {
      return std::nullopt;
    }
    all = all | called;
  }
  return all;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return lower;
}

}  // namespace

std::optional<Adapters> parse_adapters(std::string_view written) {
  const auto lower_case = in_lower_case(written);
  const std::string_view text = lower_case;
  if (text == "none" || text == "no" || text == "full") {  // pandas' None, "full fine-tuning"
    return Adapters{};
  }
  constexpr int most_rank = 4096;
  auto rest = text;
  const auto kind = next_word(rest, ':');
  const auto number = next_word(rest, ':');
  Adapters adapters;
  adapters.narrow = kind == "qlora";
  const auto* const end = number.data() + number.size();
  const auto [read, error] = std::from_chars(number.data(), end, adapters.rank);
  const auto projections = rest.empty() && !text.ends_with(':')
                               ? std::optional(Projection::all_linear)
                               : parse_projections(rest);
  if ((kind != "lora" && kind != "qlora") || error != std::errc{} || read != end ||
      adapters.rank < 1 || adapters.rank > most_rank || !projections) {
    return std::nullopt;
  }
  adapters.projections = *projections;
  return adapters;
}

std::string to_string(const Adapters& adapters) {
  if (!adapters.any()) {
    return "";
  }
  auto text = (adapters.narrow ? "qlora:" : "lora:") + std::to_string(adapters.rank);
  if (adapters.projections != Projection::all_linear) {
    char mark = ':';
    for (const auto& [projection, name] : projection_names) {
      if (projection != Projection::all_linear && has(adapters.projections, projection)) {
        text.push_back(mark);
        text += name;
        mark = '+';
      }
    }
  }
  return text;
}

}  // namespace rightsize
