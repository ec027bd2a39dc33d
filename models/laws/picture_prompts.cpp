#include "models/laws/picture_prompts.h"

#include "models/laws/decode.h"

namespace rightsize {

double tower_seconds(const DecodeWork& work, const DecodeGpu& gpu) {
  return work.tower_flops / gpu.attention_flops_per_s;
}

}  // namespace rightsize
