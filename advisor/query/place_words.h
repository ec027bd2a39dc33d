// Where offers are looked for, as people write it: "aws", "aws/us-east-1", "gcp/us-*", "*/eu-*".
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// Each pattern is PROVIDER or PROVIDER/REGION, with * and ? for letters. Throws UsageError naming
// `what` for one that has no provider, an empty region, several places or a level more.
[[nodiscard]] std::vector<std::string> checked_places(std::vector<std::string> patterns,
                                                      const std::string& what);

}  // namespace rightsize
