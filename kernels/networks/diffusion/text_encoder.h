// What a prompt is read by before a picture is made of it.
#pragma once

#include <string>

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

inline constexpr std::int64_t clip_vocabulary = 49408;
inline constexpr std::int64_t clip_positions = 77;

// Radford et al., "Learning transferable visual models from natural language supervision", ICML
// 2021: the part that reads text.
struct ClipShape {
  std::int64_t width = 768;
  std::int64_t heads = 12;
  int depth = 12;
};

inline constexpr ClipShape clip_large{};              // OpenAI's ViT-L/14
inline constexpr ClipShape clip_huge{1024, 16, 23};   // OpenCLIP's ViT-H/14, without its last block
inline constexpr ClipShape clip_giant{1280, 20, 32};  // OpenCLIP's ViT-bigG/14

// Features of every position: {width, 77, 1}.
int clip_text(NetworkBuilder& net, const std::string& name, int tokens, const ClipShape& shape);

// Those of the end of the text through a matrix of its own: {width, 1, 1}.
int projected_text(NetworkBuilder& net, const std::string& name, int features);

// Raffel et al., "Exploring the limits of transfer learning", JMLR 2020: the encoder of T5 1.1 XXL,
// without the 2048 numbers that its positions are told by. {4096, positions, 1}.
int t5_text(NetworkBuilder& net, const std::string& name, std::int64_t positions);

}  // namespace rightsize::diffusion
