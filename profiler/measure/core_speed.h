// The speed of a core beside a run. On a rented or shared machine the same work is a tenth slower
// at one hour than at another; runs made then are not alike, and nothing inside them shows it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "profiler/record.h"

namespace rightsize {

// Operations per CPU-second of a chain of dependent 64-bit multiplications and additions, which no
// memory and no vector unit can help: the median of five pieces, some 30 ms together. CPU time,
// because waiting for a core is told by other fields.
[[nodiscard]] double probe_core_speed();

// The name of this figure in a machine's baseline (baseline/baseline.h).
inline constexpr const char* core_speed_figure = "integer chain, 1 thread";

// The usual speed where no baseline says it: the median of what at least five records of the same
// machine saw; nullopt with fewer.
[[nodiscard]] std::optional<double> usual_core_speed(std::span<const Record> records,
                                                     const Machine& machine);

// The record's note on a core that is slower than usual by more than a twentieth, or whose speed
// changed by so much during the run; nullopt: nothing to say.
[[nodiscard]] std::optional<std::string> core_speed_note(const CoreSpeed& speed);
// A reason not to believe the record: a quarter slower than usual; empty: none.
[[nodiscard]] std::string core_speed_doubt(const CoreSpeed& speed);

}  // namespace rightsize
