// A text that a network writes token by token, of what its encoder read (networks/encoder_decoder):
// how often its decoder is passed, and what the program's host takes for that beside the kernels.
#pragma once

#include <string_view>

#include "kernels/network.h"

namespace rightsize {

struct WrittenText {
  double tokens = 0;  // one after the other, of an item; 0: nothing is written so
  double blocks = 0;  // of the decoder, each time that one is passed

  [[nodiscard]] bool any() const { return tokens > 0; }
  bool operator==(const WrittenText&) const = default;
};

[[nodiscard]] WrittenText written_text(const Network& network);

// Of a step, whatever its batch, by a framework of framework_habits.h; "": an unknown one.
[[nodiscard]] double writing_seconds(const WrittenText& text, std::string_view framework);

// Of ln(rate), at least. Asked blind for calibration/encoder_decoders.csv, engines that write token
// by token were told 36 % off at the median and 97 % at P90; the hosts of PyTorch's figures differ
// by three.
inline constexpr double writing_log_sd = 0.5;

}  // namespace rightsize
