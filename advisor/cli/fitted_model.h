// The model that a command answers by: a file, or what is shipped where nothing was fitted here.
#pragma once

#include <string>

#include "advisor/cli/command.h"
#include "models/model.h"

namespace rightsize::cli {

// Throws UsageError naming the path: no such file (run fit first), or not a model.
[[nodiscard]] Model load_model(const std::string& path);

// Whether no model is named and there is none in the default place.
[[nodiscard]] bool nothing_fitted(const Values& values);

// The model of --model, RIGHTSIZE_MODEL or the default place, with the shipped one's costs of data
// that its runs never read; the shipped one when only the last is left and there is none, with a
// sentence about it in `note`.
[[nodiscard]] Model model_or_shipped(const Values& values, std::string& note);

// Of a model that was fitted on another CPU than this machine has: that its answers are of that
// one; else nothing.
[[nodiscard]] std::string elsewhere_note(const Values& values, const Model& model);

}  // namespace rightsize::cli
