// GPT-2: Radford et al., "Language Models are Unsupervised Multitask Learners", 2019; the small
// one: 124 439 808 parameters, the head's matrix is the embedding's table. No dropout, as in the
// released code.
#include "kernels/networks/gpt2.h"

#include "kernels/networks/causal.h"
#include "kernels/networks/families.h"

namespace rightsize {

Network make_gpt(const GptConfig& config, int sequence) {
  return make_causal({.name = config.name,
                      .title = config.title,
                      .layers = config.layers,
                      .width = config.width,
                      .heads = config.heads,
                      .kv_heads = config.heads,
                      .head_dim = config.width / config.heads,
                      .feed_forward = 4 * config.width,
                      .vocabulary = config.vocabulary,
                      .context = config.context,
                      .positions = config.context,
                      .tied = true},
                     sequence);
}

Network make_gpt2(int sequence) {
  return make_gpt(GptConfig{}, sequence);
}

}  // namespace rightsize
