// `verify` of a service; the options are verify's.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize::cli {

[[nodiscard]] int verify_service(Context& context,
                                 const Values& values,
                                 const Query& query,
                                 const Evidence& evidence,
                                 const Option& option);

}  // namespace rightsize::cli
