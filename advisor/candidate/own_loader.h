// The user's own program in the place of the measured loader: what it can be asked of, and what is
// said of it.
#pragma once

#include <string>
#include <string_view>

#include "advisor/query/query.h"
#include "kernels/workload.h"
#include "models/model.h"

namespace rightsize {

inline constexpr std::string_view loader_grammar =
    "a program of yours that was profiled here by itself, as load.py";

// Whose CPU seconds the items of a job take on their way: nobody's where they are made up, lie in
// memory or are no pictures; those of the measured loader, of a framework's (cpu_law.h), or of a
// program of the user's.
enum class LoadedBy { nobody, measured_loader, framework, program };

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
