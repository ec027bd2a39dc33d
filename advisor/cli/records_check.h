// `records check`: whether a file of records, or a store of them, can be read whole.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

// As words, or with -o json as rightsize/check/1. Ends with exit_check_failed where it cannot.
int check_records(Context& context, const Values& values);

}  // namespace rightsize::cli
