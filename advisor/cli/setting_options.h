// The options that describe one setting for predict and simulate.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/query/grammars.h"
#include "models/model.h"
#include "models/setting.h"

namespace rightsize::cli {

// Of ln(vCPU speed): this machine's CPU is not the shipped model's.
constexpr double other_cpu_log_sd = 0.25;

inline constexpr const char* phases_played = "train, infer or decode";

// --network, --phase, --batch, --data, --items, --bytes. `phases` that the command answers.
void add_work_options(Options& options, const char* phases = phase_grammar);
// These, and --gpu-rate, --cpus, --memory and the like: a machine by its parts.
void add_setting_options(Options& options, const char* phases = phase_grammar);

// Throws UsageError naming the option. The work of a program that the model knows from
// `rightsize profile -- PROGRAM` goes by the program's name; another name that is no network's is
// refused with the nearest one (UnknownNetwork).
[[nodiscard]] Setting setting_from(const Values& values, const Model& model);

// What preprocessing writes and how fast: --preprocess-output, --disk-write. Likewise.
void read_output(const Values& values, Setting& setting);

// --loader-threads; 0: one for each vCPU.
[[nodiscard]] int loader_threads_option(const Values& values);

// Whether the setting's work is such a program, and no network of ours.
[[nodiscard]] bool is_program(const Workload& workload, const Model& model);

}  // namespace rightsize::cli
