// The columns of a batch file: their names, what their cells may say, and where that is put.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "advisor/machine/configuration.h"

namespace rightsize {

// What a row says before it is put together: gpus counts all nodes, gpus_of_node is said with the
// GPU's name.
struct BatchDraft {
  Configuration asked;
  std::optional<int> gpus;
  std::optional<int> gpus_of_node;
  bool nodes_said = false;
};

struct BatchColumn {
  // The first is the documented one; the others are what papers and programs that train have.
  std::array<std::string_view, 10> names;
  std::string_view expected;
  std::string_view blank;                                  // what an empty cell means
  bool (*read)(std::string_view text, BatchDraft& draft);  // false: a cell that cannot be read
  // What is expected in place of such a cell, where that depends on it.
  std::string (*instead)(std::string_view text) = nullptr;
};

[[nodiscard]] std::span<const BatchColumn> batch_columns();
// Of these the last ones, which say how a network is trained, and what one writes.
[[nodiscard]] std::span<const BatchColumn> training_columns();
[[nodiscard]] std::span<const BatchColumn> writing_columns();

}  // namespace rightsize
