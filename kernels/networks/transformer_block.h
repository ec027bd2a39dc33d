// The blocks that transformers share; each returns the index of its last layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/networks/builder.h"

namespace rightsize {

struct FeedForward {
  std::int64_t width = 0;                                   // between its two matrices
  std::optional<Activation> activation = Activation::gelu;  // none: ReLU
  bool biases = true;
};

// Throws NetworkError for a sequence longer than what a network was trained for.
void require_context(const std::string& name, std::int64_t sequence, std::int64_t context);

// Queries, keys and values in one product, attention, and the projection out.
[[nodiscard]] int self_attention(NetworkBuilder& net,
                                 const std::string& name,
                                 int from,
                                 const AttentionShape& shape,
                                 bool biases = true);

// Two matrices and a function between them.
[[nodiscard]] int feed_forward(NetworkBuilder& net,
                               const std::string& name,
                               int from,
                               const FeedForward& options);

// Three: what one makes goes through the function and weighs what another makes (Shazeer, "GLU
// Variants Improve Transformer", 2020).
[[nodiscard]] int gated_feed_forward(NetworkBuilder& net,
                                     const std::string& name,
                                     int from,
                                     const FeedForward& options);

// x + attention(norm(x)), then x + feed_forward(norm(x)): the norms inside the residual branches,
// as in GPT-2 and ViT.
[[nodiscard]] int pre_norm_block(NetworkBuilder& net,
                                 const std::string& name,
                                 int from,
                                 const AttentionShape& attention,
                                 const FeedForward& options,
                                 float epsilon);

}  // namespace rightsize
