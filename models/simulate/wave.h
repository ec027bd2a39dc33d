// Loader threads that all begin at once fill the buffer and come in waves: what is counted begins
// only when the buffer has been emptied, and is as long again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "models/setting.h"

namespace rightsize::simulate {

// Of an answer that comes soon: threads by the thousand would play for minutes to begin with.
inline constexpr std::uint64_t most_items_of_wave = 10'000'000;

[[nodiscard]] inline std::size_t threads_of(const Setting& setting) {
  return static_cast<std::size_t>(std::max(1, setting.loader_threads));
}

// Of the buffer, in minibatches.
[[nodiscard]] inline std::size_t places_of(const Setting& setting) {
  return static_cast<std::size_t>(std::max(0, setting.workload.prefetch_batches)) +
         threads_of(setting);
}

[[nodiscard]] inline std::uint64_t minibatches_of_wave(const Setting& setting) {
  if (setting.workload.data == DataFormat::synthetic) {
    return 1;  // nobody loads
  }
  const auto batch = static_cast<std::uint64_t>(std::max(1, setting.workload.batch));
  const std::uint64_t most = std::max<std::uint64_t>(1, most_items_of_wave / batch);
  return std::min<std::uint64_t>(2 * places_of(setting), most);
}

// Steps to count where `asked` are: whole turns of the threads, which give minibatches all at once
// where the CPU or the disk limits them. A part of a turn would be counted in no time at all.
[[nodiscard]] inline std::uint64_t steps_of_whole_turns(const Setting& setting,
                                                        std::uint64_t asked) {
  const auto wave = minibatches_of_wave(setting);
  const auto steps = std::max(wave, asked);
  const auto turn = static_cast<std::uint64_t>(threads_of(setting));
  const bool in_turns = setting.workload.data != DataFormat::synthetic && turn <= wave;
  return in_turns ? (steps + turn - 1) / turn * turn : steps;
}

}  // namespace rightsize::simulate
