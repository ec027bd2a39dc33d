#include "kernels/networks/latent_attention.h"

namespace rightsize {

int attention_to_latents(NetworkBuilder& net,
                         const LatentHeads& heads,
                         const std::string& name,
                         int from) {
  const auto& latent = heads.latent;
  const auto count = heads.heads;
  const LatentShape shape{
      count, latent.head_dim, latent.rotary_dim, latent.value_dim, latent.width};
  int queries = from;
  if (latent.query_width > 0) {
    queries = net.linear(name + "_q_down", from, latent.query_width, false);
    queries = net.rms_norm(name + "_q_norm", queries, heads.norm_epsilon);
  }
  queries =
      net.linear(name + "_q_up", queries, count * (latent.head_dim + latent.rotary_dim), false);
  int made = net.linear(name + "_kv_down", from, latent.width, false);
  made = net.rms_norm(name + "_kv_norm", made, heads.norm_epsilon);
  made = net.linear(name + "_kv_up", made, count * (latent.head_dim + latent.value_dim), false);
  const int turned = net.linear(name + "_turned", from, latent.rotary_dim, false);
  return net.latent_attention(name + "_attention", queries, made, turned, shape);
}

}  // namespace rightsize
