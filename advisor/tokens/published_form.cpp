#include "advisor/tokens/published_form.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rightsize {
namespace {

struct PublishedForm {
  std::string_view network;
  WeightFormat weights;
  std::string_view called;
};

constexpr std::array published{PublishedForm{"deepseek-v3", WeightFormat::fp8, "FP8"},
                               PublishedForm{"kimi-k2", WeightFormat::fp8, "FP8"},
                               PublishedForm{"gpt-oss-20b", WeightFormat::mxfp4, "MXFP4"},
                               PublishedForm{"gpt-oss-120b", WeightFormat::mxfp4, "MXFP4"}};

}  // namespace

std::string published_narrower(std::string_view network, WeightFormat said) {
  const auto found = std::find_if(published.begin(), published.end(), [&](const auto& form) {
    return form.network == network;
  });
  return found == published.end() || said != WeightFormat::own
             ? ""
             : fmt::format(
                   "{} is published in {} and taken in 16 bits here, which asks for more memory: "
                   "weights = \"{}\" under [job], of a [service], takes it as it is published",
                   network,
                   found->called,
                   to_string(found->weights));
}

}  // namespace rightsize
