// What is taken for what a job leaves open: whose software runs it, and the network between its
// machines. One rule for every command that is given a job file, so that one question has one
// answer; questions that name no job leave both open.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/workload.h"
#include "models/laws/gpu_rate.h"
#include "models/laws/interconnect.h"

namespace rightsize {

// Whose rates answer, as in calibration/gpu_rates.csv: the framework the job names, else PyTorch's
// on GPUs with tensor cores and libraries of today, and JAX's on TPUs (MaxText: figures of no other
// are here). Options are compared, so their rates have to be
// one framework's: two GPUs published with different ones differ by up to a third for that alone.
// "" is any framework's: libraries of the era are mostly one framework's.
[[nodiscard]] std::string_view framework_of_job(const GpuRates& rates,
                                                std::string_view gpu,
                                                std::optional<Stack> stack,
                                                std::string_view stated);

// The same for all GPUs, in words: "PyTorch's on GPUs with tensor cores (...), ...".
[[nodiscard]] std::string framework_words(std::optional<Stack> stack, std::string_view stated);

// Between machines, where none is stated: `sold` with them (Offer::network), or where no table
// says, 25 Gb/s Ethernet: clouds sell 2 to 6400.
[[nodiscard]] InterconnectWords network_of_job(InterconnectWords stated,
                                               const std::string& sold = "");

// Standard deviation that so assumed a network adds to ln(items/s); 0 where none is assumed.
[[nodiscard]] double assumed_network_log_sd(const InterconnectWords& stated,
                                            const std::string& sold,
                                            int nodes,
                                            Phase phase);

}  // namespace rightsize
