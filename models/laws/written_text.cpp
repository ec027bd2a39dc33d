#include "models/laws/written_text.h"

#include <cstddef>

#include "kernels/work.h"
#include "models/laws/framework_habits.h"

namespace rightsize {

WrittenText written_text(const Network& network) {
  WrittenText text;
  if (!writes_text(network)) {
    return text;
  }
  for (const auto& layer : network.layers) {
    const bool attends = layer.kind == LayerKind::attention && layer.passes > 1;
    const auto read = attends ? static_cast<std::size_t>(layer.inputs.back()) : 0;
    if (attends && network.layers[read].kind == LayerKind::given) {
      text.tokens = static_cast<double>(layer.passes);
      text.blocks += static_cast<double>(layer.passes);
    }
  }
  return text;
}

double writing_seconds(const WrittenText& text, std::string_view framework) {
  const auto host = writing_host(framework);
  return text.tokens * host.token_s + text.blocks * host.block_s;
}

}  // namespace rightsize
