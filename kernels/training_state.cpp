#include "kernels/training_state.h"

#include <algorithm>
#include <array>
#include <string>

namespace rightsize {
namespace {

struct OptimizerName {
  std::string_view name;  // letters and digits alone, without "paged" and "fused" before it
  Remembers optimizer;
};

// Ours first; then as PyTorch, Transformers, bitsandbytes and torchtune call them.
constexpr std::array<OptimizerName, 12> optimizer_names{{{"adamw", Remembers::adamw},
                                                         {"adamw8bit", Remembers::adamw_8bit},
                                                         {"adafactor", Remembers::adafactor},
                                                         {"sgd", Remembers::sgd},
                                                         {"adam", Remembers::adamw},
                                                         {"adamwtorch", Remembers::adamw},
                                                         {"adamwtorchfused", Remembers::adamw},
                                                         {"adamwhf", Remembers::adamw},
                                                         {"adam8bit", Remembers::adamw_8bit},
                                                         {"adamwbnb8bit", Remembers::adamw_8bit},
                                                         {"pagedadamw8bit", Remembers::adamw_8bit},
                                                         {"pagedadamw", Remembers::adamw}}};

std::string letters_and_digits(std::string_view text) {
  std::string bare;
  for (const char letter : text) {
    if (letter >= 'A' && letter <= 'Z') {
      bare.push_back(static_cast<char>(letter - 'A' + 'a'));
    } else if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
      bare.push_back(letter);
    }
  }
  return bare;
}

Remembers optimizer_of(const TrainingState& state, Optimizer own) {
  return state.optimizer != Remembers::own ? state.optimizer
         : own == Optimizer::adam          ? Remembers::adamw
                                           : Remembers::sgd;
}

// Of a parameter whose master, or only one, has `element` bytes.
double moment_bytes(Remembers optimizer, double element) {
  constexpr double quantized = 1 + 4.0 / 256;  // a scale in FP32 for every 256 (bitsandbytes)
  switch (optimizer) {
    case Remembers::own:
    case Remembers::adamw:
      return 2 * element;
    case Remembers::adamw_8bit:
      return 2 * quantized;
    case Remembers::adafactor:
      return 0;
    case Remembers::sgd:
      return element;
  }
  return 0;
}

}  // namespace

std::optional<Remembers> parse_optimizer(std::string_view text) {
  const auto bare = letters_and_digits(text);
  const auto* const known =
      std::find_if(optimizer_names.begin(), optimizer_names.end(), [&](const OptimizerName& one) {
        return one.name == bare;
      });
  return known == optimizer_names.end() ? std::nullopt : std::optional(known->optimizer);
}

std::string_view to_string(Remembers optimizer) {
  switch (optimizer) {
    case Remembers::own:
      return "";
    case Remembers::sgd:
      return "sgd";
    case Remembers::adamw:
      return "adamw";
    case Remembers::adamw_8bit:
      return "adamw-8bit";
    case Remembers::adafactor:
      return "adafactor";
  }
  return "";
}

StateBytes state_bytes(const TrainingState& state,
                       Optimizer own,
                       Phase phase,
                       Precision precision) {
  const double narrow = bytes_per_element(precision);
  const double element = state.masters ? sizeof(float) : narrow;
  const auto optimizer = optimizer_of(state, own);
  const double moments = moment_bytes(optimizer, element);
  StateBytes bytes;
  bytes.parameter = element;
  bytes.gradient = element;
  bytes.moments = phase == Phase::forward_backward ? 0 : moments;
  bytes.copy = narrow < element ? narrow : 0;
  // The gradient is read, once more where its rows and columns are summed up first.
  const double reads = optimizer == Remembers::adafactor ? 2 : 1;
  bytes.updated = 2 * element + reads * element + 2 * moments;
  return bytes;
}

}  // namespace rightsize
