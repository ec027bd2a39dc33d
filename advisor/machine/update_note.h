// What an answer says of an update whose items the machine's GPUs come near to alone.
#pragma once

#include "advisor/machine/estimator.h"

namespace rightsize {

// Of training whose update is said in items. Expects the answer's batch.
void warn_of_nearest_update(const Configuration& asked, Answer& answer);

}  // namespace rightsize
