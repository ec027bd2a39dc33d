// How GPUs share the attention of a language model that writes: whole heads each, or whole
// sequences (decode_work.h).
#pragma once

#include <optional>
#include <string_view>

namespace rightsize {

enum class AttentionSharing { by_heads, by_sequences };

// "by_heads", "by_sequences"
[[nodiscard]] std::string_view to_string(AttentionSharing sharing);
[[nodiscard]] std::optional<AttentionSharing> parse_attention_sharing(std::string_view text);

}  // namespace rightsize
