// Who bears the hours without work of what is reserved, or rented by the month. Of what is bought:
// own_machine_notes.h.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// Adds to the assumptions: which of --utilisation and --runs-per-month the bill goes by.
void assume_of_whole_months(Recommendation& answer);

}  // namespace rightsize
