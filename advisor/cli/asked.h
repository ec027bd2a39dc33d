// The options that describe a machine which is only asked about, and the work on it; shared by
// predict, simulate and size.
#pragma once

#include <cstdint>
#include <string>

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "advisor/machine/estimator.h"

namespace rightsize::cli {

// --precision, --sequence, --stack, --exchange, --compression and the job file.
void add_asked_work_options(Options& options);
// These, and --machine.
void add_asked_options(Options& options);

// --items. Throws UsageError for none.
[[nodiscard]] std::uint64_t items_option(const Values& values);
// Of `items` as large as those of a data set of `of_items` and `bytes`.
[[nodiscard]] std::uint64_t bytes_of(std::uint64_t items,
                                     std::uint64_t bytes,
                                     std::uint64_t of_items);

// True when a machine or a job was named: the question is for the estimator.
[[nodiscard]] bool asks_machine(const Values& values);

// Flags that tell how fast a named GPU is, where none is named: they would be passed over. Throws
// UsageError.
void refuse_gpu_words(const Values& values);

// The work alone, of a machine that is yet to be filled in.
[[nodiscard]] Configuration work_from(const Values& values);

// From a job file, if any, with the flags on top. Throws UsageError naming the option, also for
// flags that describe the machine another way.
[[nodiscard]] Configuration configuration_from(const Values& values);

// With the fitted model, or the shipped one where none was fitted here and none is named, and with
// what the user measured of the work.
[[nodiscard]] Estimator estimator_for(const Values& values, const Configuration& asked);

}  // namespace rightsize::cli
