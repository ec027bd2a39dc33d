#include "advisor/query/picture_words.h"

#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "kernels/engine.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {

int read_pictures(TomlFields& fields, Query& query) {
  const auto count = fields.integer("images");
  const auto size = fields.text("image_size", "width and height in pixels, such as \"1280x720\"");
  try {
    if (count || size) {
      query.network =
          with_pictures(query.network, count ? std::to_string(*count) : "", size.value_or(""));
    }
    return picture_tokens(query.network);
  } catch (const EngineError& error) {
    const auto* const key = count ? "images" : size ? "image_size" : "prompt_tokens";
    fields.fail(key, fmt::format("pictures that the network sees; {}", error.what()));
  }
}

std::string network_with_pictures(const std::string& network,
                                  const std::string& images,
                                  const std::string& size) {
  if (images.empty() && size.empty()) {
    return network;
  }
  try {
    return with_pictures(network, images, size);
  } catch (const EngineError& error) {
    throw UsageError(
        fmt::format("--{}: {}", images.empty() ? "image-size" : "images", error.what()));
  }
}

}  // namespace rightsize
