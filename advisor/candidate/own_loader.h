// Whose loader puts a job's items before its GPUs: a framework's, rightsize's own as it was
// measured, or a program of the user's; what each can be asked of, and what is said of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/query.h"
#include "kernels/workload.h"
#include "models/laws/gpu_step.h"
#include "models/model.h"

namespace rightsize {

// The word for rightsize's own in Query::loader and Configuration::loader.
inline constexpr std::string_view measured_loader = "rightsize";

inline constexpr std::string_view loader_grammar =
    "a program of yours that was profiled here by itself, as load.py, or rightsize for its own";

// Whether it names a program, rather than nobody or rightsize's own.
[[nodiscard]] bool is_program_loader(std::string_view loader);

// Whether a program of the user's reads the items, as it loads for a network or is the job itself:
// how, is not known.
[[nodiscard]] bool program_reads(const NetworkStep& step, std::string_view loader);

// Of which years the framework's loader is that decodes the pictures; none where it is rightsize's
// own: where it is asked for, and in preprocessing, whose framework nobody stated. GPUs' speeds are
// a framework's where nobody says whose (job_defaults.h), and so is the loader, of today.
[[nodiscard]] std::optional<Stack> loader_stack(std::string_view loader,
                                                Phase phase,
                                                std::optional<Stack> stated,
                                                std::string_view framework);

// Whose CPU seconds the items of a job take on their way: nobody's where they are made up, lie in
// memory or are no pictures; those of rightsize's loader as measured, of a framework's (cpu_law.h),
// or of a program of the user's.
enum class LoadedBy { nobody, rightsize, framework, program };

[[nodiscard]] LoadedBy loaded_by(const Query& query);

// Why no program of the user's could load for such work; "": it can.
[[nodiscard]] std::string why_no_loader(Phase phase, DataFormat data, bool serves);

// Throws UsageError naming the programs that there are where `loader` is none that the model was
// fitted to; nothing for "".
void require_loader(const Model& model, const std::string& loader);

// "items are loaded by load.py as it ran here: 1.25 ms of a vCPU each, on 0.5 to 2 ..."; `loader`
// is one that the model knows.
[[nodiscard]] std::string loader_words(const Model& model, const std::string& loader);

}  // namespace rightsize
