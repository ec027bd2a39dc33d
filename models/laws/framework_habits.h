// What today's frameworks, and engines that only answer, do otherwise than an executor of graphs
// that launches layer by layer. How much each is worth are constants of gpu_step_constants.h.
#pragma once

#include <string_view>

namespace rightsize {

inline constexpr int by_graph = -2;  // launches as executors of graphs do
inline constexpr int eagerly = -1;   // launches from Python

// It writes with kernels of its own, on CPUs too.
inline constexpr std::string_view ctranslate2 = "CTranslate2";

struct Habits {
  std::string_view framework;
  int dispatch;                  // a Constant, on top of executors of graphs; or one of the above
  int passes;                    // a Constant; < 0: layer by layer
  bool fused_attention = false;  // whose scores never leave the chip (FlashAttention)
  bool own_kernels = false;      // picks the fastest of many for each layer
  bool first_fused = false;      // attention by the first kernels that fused it (2022)
  // Products and attention of language models by kernels for Hopper and what came after
  // (Transformer Engine, cuDNN 9: NVIDIA's programs from the second half of 2024 on).
  bool hopper_kernels = false;
  // Of matrices that lie in memory in 8 bits the products are made as they lie there.
  bool narrow_products = false;
};

// By the publisher's very name, or the framework's: "TensorRT" of "TensorRT (Triton)".
// nullptr: none.
[[nodiscard]] const Habits* habits_of(std::string_view framework);

// What the host takes for each token that a decoder writes, and for each block of the decoder,
// above the launches of its kernels. Of an unknown framework, "", half of PyTorch's.
struct WritingHost {
  double token_s = 0;
  double block_s = 0;
};
[[nodiscard]] WritingHost writing_host(std::string_view framework);

// Whether it is a program whose habits are its own and not its framework's: "PyTorch (NeMo)".
[[nodiscard]] bool is_program(std::string_view framework);

// An engine (TensorRT, ONNX Runtime) is used by those who name it.
[[nodiscard]] bool is_engine(std::string_view framework);

// Whether it runs by CUDA alone, and so not on AMD's GPUs.
[[nodiscard]] bool runs_by_cuda_alone(std::string_view framework);

}  // namespace rightsize
