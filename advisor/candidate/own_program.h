// A job that is a program of the user's altogether (network = "program:train.py"): what may be
// asked of it, and what the fitted model knows of it. Its CPU seconds are measured; of its disk
// only what the job says of its data is known.
#pragma once

#include <span>
#include <string>

#include "advisor/query/query.h"
#include "models/model.h"

namespace rightsize {

// What a job's words ask of a program that none can do, as "expected no [service]: ..."; "": fine.
[[nodiscard]] std::string program_misfit(const NetworkStep& step, bool serves);

// Fills in Query::program and the items of its step. Throws UsageError where the model knows no
// such program, with those it knows; does nothing for a network.
void know_program(const Model& model, Query& query);

// The same alone. `network` is "program:NAME".
[[nodiscard]] ProgramWork required_program(const Model& model, const std::string& network);

// Why the model cannot tell of it, and what to do.
[[nodiscard]] std::string unknown_program_words(const Model& model, const std::string& network);

inline constexpr std::string_view steps_of_program =
    "a program of your own has the steps it was profiled with";

// "the model was fitted to load.py, train.py", or which of them is spelled like `wanted`.
[[nodiscard]] std::string known_programs(const Model& model, const std::string& wanted);
// How a program is made known.
[[nodiscard]] std::string how_to_profile(const std::string& program);

// "train.py is taken as it was profiled here: 7.8 us of a vCPU an item, ..."
[[nodiscard]] std::string program_words(const std::string& network, const ProgramWork& work);
// "; it uses 1 vCPU at the most, as it did here"
[[nodiscard]] std::string vcpus_words(const ProgramCpus& cpus, std::string_view it);
[[nodiscard]] std::string cpu_seconds_words(double seconds);

}  // namespace rightsize
