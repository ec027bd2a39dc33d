// Low-rank adapters: the network's own parameters stay as they are, and beside a linear layer's
// matrix of `in` x `out` the product of two trained ones is added, `in` x rank and rank x `out`
// (LoRA: Hu et al., ICLR 2022). Nothing else is trained, so gradients and the optimizer's state are
// the adapters' alone. QLoRA (Dettmers et al., NeurIPS 2023) keeps the frozen matrices of the
// blocks in 4 bits and widens them whenever they are multiplied with.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// The linear layers of a transformer's block, as Hugging Face names Llama's; a set of them.
enum class Projection : unsigned {
  none = 0,
  q_proj = 1,
  k_proj = 2,
  v_proj = 4,
  o_proj = 8,
  gate_proj = 16,
  up_proj = 32,
  down_proj = 64,
  all_linear = 127,
};

[[nodiscard]] constexpr Projection operator|(Projection a, Projection b) {
  return static_cast<Projection>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool has(Projection all, Projection any) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(any)) != 0;
}

struct Adapters {
  int rank = 0;  // 0: none, all parameters are trained
  Projection projections = Projection::all_linear;
  bool narrow = false;  // frozen matrices of the blocks in 4 bits

  [[nodiscard]] bool any() const { return rank > 0; }
  auto operator<=>(const Adapters&) const = default;
};

// "lora:16", "qlora:64", "lora:8:q_proj+v_proj", in any case; the rank is 1 to 4096. "none" and its
// like have none. nullopt for other words.
[[nodiscard]] std::optional<Adapters> parse_adapters(std::string_view text);
[[nodiscard]] std::string to_string(const Adapters& adapters);  // "" where there are none
inline constexpr std::string_view adapter_grammar =
    "none, lora:RANK or qlora:RANK (base in 4 bits), such as lora:16, with :q_proj+v_proj after it "
    "where not all linear layers have one";

}  // namespace rightsize
