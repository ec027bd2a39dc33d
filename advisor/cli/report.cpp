#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/query.h"

namespace rightsize::cli {

int run_report(Context&, const std::vector<std::string>&) {
  throw UsageError("report is being built on its own branch");
}

}  // namespace rightsize::cli
