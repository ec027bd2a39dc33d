// Pictures in the prompts of a language model that sees, as people say them: beside the tokens of
// its texts. They become parts of the network's name (kernels/networks/vision_language), and their
// tokens part of the prompt.
#pragma once

#include <string>
#include <string_view>

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {

// `images` and `image_size` of [service] or [data], where they are said: the network then has them.
// Returns the tokens that all pictures of a prompt become, 0 without any. Fails at the key where
// the network sees nothing, or nothing of the kind.
[[nodiscard]] int read_pictures(TomlFields& fields, Query& query);

// The same of flags; "" is none. Throws UsageError naming the flag.
[[nodiscard]] std::string network_with_pictures(const std::string& network,
                                                const std::string& images,
                                                const std::string& size);

}  // namespace rightsize
