// What a program of the user's takes, as the model's runs of it say: by itself, and as what loads
// and prepares the items of a network that a GPU computes.
#pragma once

#include <optional>
#include <string>

#include "kernels/workload.h"
#include "models/model.h"

namespace rightsize {

// nullopt where the model was fitted to none of its runs, or by a version that did not say their
// steps.
[[nodiscard]] std::optional<ProgramWork> program_work(const Model& model,
                                                      const std::string& program);

// `model` with the data path of `workload` as `processes` of the program take it, one for each GPU
// of a machine, each of which uses as many vCPUs as it was seen to; where a GPU was beside it then,
// what it left idle says nothing of it. Throws ModelError where the model does not know it.
[[nodiscard]] Model with_program_loader(const Model& model,
                                        const Workload& workload,
                                        const std::string& program,
                                        int processes);

// `model` with a data path of `workload`, a program of the user's, that takes no more than the
// program itself, whose CPU seconds have the reading in them; its disk is read all the same.
[[nodiscard]] Model with_program_reading(const Model& model, const Workload& workload);

}  // namespace rightsize
