// What transformers that denoise are made of: streams of a picture and of its prompt, whose norms
// are scaled and shifted by the step's time (Peebles and Xie, "Scalable diffusion models with
// transformers", ICCV 2023) and which attend to one another (Esser et al., "Scaling rectified flow
// transformers", 2024).
#pragma once

#include <string>

#include "kernels/networks/builder.h"

namespace rightsize::diffusion {

struct JointShape {
  std::int64_t width = 1536;
  std::int64_t heads = 24;
  bool head_norms = false;  // RMSNorm of every head's queries and keys
  bool twice = false;       // a picture attends to itself alone as well (SD 3.5 medium)
};

// Vectors of a stream's width, made of the time's features: a shift, a scale and a gate of
// attention and as many of the feed-forward part, or the first two or three of them.
class Modulation {
 public:
  Modulation(NetworkBuilder& net, std::string name, int time, std::int64_t width, int vectors);

  // A norm of x, scaled and shifted by vectors `first` and the one behind it.
  int norm(const std::string& part, int x, int first);
  // x by vector `gate`, added to `to`.
  int gated_sum(const std::string& part, int x, int gate, int to);

 private:
  int vector(const std::string& part, int index);

  NetworkBuilder& net_;
  std::string name_;
  std::int64_t width_;
  int made_;
};

struct Heads {
  int queries = 0;
  int keys_values = 0;
};

// Queries, keys and values of a stream. The pass that lays keys beside values stands for the one
// that turns them by their positions, where a network does.
Heads project_heads(NetworkBuilder& net,
                    const std::string& name,
                    int from,
                    const JointShape& shape);

struct Streams {
  int prompt = 0;
  int picture = 0;
};

// One block. In the last of a network nothing of the prompt is kept (`last`).
Streams joint_block(NetworkBuilder& net,
                    const std::string& name,
                    const Streams& in,
                    int time,
                    const JointShape& shape,
                    bool last = false);

// Two layers with SiLU between them.
int embedded(NetworkBuilder& net, const std::string& name, int from, std::int64_t width);

// The waves of a step's number, so embedded.
int embedded_time(NetworkBuilder& net, const std::string& name, std::int64_t width);

// The last norm, by the time, and the matrix that makes patches again.
int patches_out(NetworkBuilder& net, int picture, int time, std::int64_t features);

}  // namespace rightsize::diffusion
