// The parameters of a model, with their joint uncertainty, from what was observed: robust least
// squares over ln(parameter), each held by its prior; and the noise that is left when they are
// right.
#pragma once

#include <span>

#include "models/least_squares.h"
#include "models/model.h"
#include "models/observation.h"

namespace rightsize {

// Minimises over ln(parameter); writes values and covariance back into `model`.
LeastSquaresSummary fit_parameters(Model& model, std::span<const Observation* const> observations);

// What is left when the parameters are right: of ln(measured / predicted), where other resources
// set the pace, and what is added to it where the CPUs do, whose speed neighbours and clocks
// change. `floor` of fewer runs than tell.
void set_leftover_noise(Model& model,
                        std::span<const Observation* const> observations,
                        double floor);

}  // namespace rightsize
