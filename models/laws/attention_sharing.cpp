#include "models/laws/attention_sharing.h"

namespace rightsize {

std::string_view to_string(AttentionSharing sharing) {
  return sharing == AttentionSharing::by_heads ? "by_heads" : "by_sequences";
}

std::optional<AttentionSharing> parse_attention_sharing(std::string_view text) {
  for (const auto sharing : {AttentionSharing::by_heads, AttentionSharing::by_sequences}) {
    if (text == to_string(sharing)) {
      return sharing;
    }
  }
  return std::nullopt;
}

}  // namespace rightsize
