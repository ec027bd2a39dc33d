// Our own kernels of the layers of sequences, as kernels.h has those of images. A sequence of T
// positions is a tensor {n, T, 1, c}: n T rows of c features.
#pragma once

#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {

inline constexpr std::int64_t matrix_vector_rows = 4;

struct MatrixVectorTensors {
  const void* weights;  // out x in
  const void* x;        // rows x in
  const float* bias;    // out, or null
  void* y;              // rows x out
};
struct MatrixVectorShape {
  std::int64_t rows;  // at most matrix_vector_rows
  std::int64_t in;
  std::int64_t out;
  bool relu;
};
// y = x W^T + bias, reading the weights once for all rows.
void launch_matrix_vector(const MatrixVectorTensors& tensors,
                          ElementType type,
                          const MatrixVectorShape& shape,
                          cudaStream_t stream);

// Rows of a table by ids; the ids are below the table's rows.
void launch_look_up(const void* table,
                    const int* tokens,
                    void* y,
                    ElementType type,
                    const TensorShape& shape,
                    cudaStream_t stream);
// Adds to the table's gradient (FP32) the rows of dy that came from each of its rows, in their
// order: the same input gives the same bits.
void launch_look_up_gradient(const void* dy,
                             const int* tokens,
                             float* gradient,
                             ElementType type,
                             const TensorShape& shape,
                             cudaStream_t stream);
void launch_one_hot(
    const int* tokens, void* y, ElementType type, const TensorShape& shape, cudaStream_t stream);

// y = x + table[t + state->position] + segment at position t; `segment`, one row, may be null.
void launch_add_positions(const void* x,
                          const void* table,
                          const void* segment,
                          void* y,
                          ElementType type,
                          const TensorShape& shape,
                          const StepState* state,
                          cudaStream_t stream);
// gradient (shape.h x c, FP32) = sums of dy over the items.
void launch_position_gradient(const void* dy,
                              float* gradient,
                              ElementType type,
                              const TensorShape& shape,
                              cudaStream_t stream);

// Normalisation over the features of each row. `statistics`: mean and 1 / deviation of each row.
struct RowNormParameters {
  const float* scale;
  const float* shift;  // null: none
  float* statistics;   // 2 floats per row
  float epsilon;
  bool centred;  // layer normalisation; else the mean stays and the deviation is from zero
};
void launch_row_norm(const void* x,
                     void* y,
                     const RowNormParameters& parameters,
                     ElementType type,
                     const TensorShape& shape,
                     cudaStream_t stream);
struct RowNormGradients {
  const void* dy;
  void* dx;      // may be dy
  float* scale;  // c floats
  float* shift;  // c floats; null where there is no shift
};
// `partials` holds partial_floats(shape, 2) values.
void launch_row_norm_backward(const void* x,
                              const RowNormParameters& parameters,
                              const RowNormGradients& gradients,
                              float* partials,
                              ElementType type,
                              const TensorShape& shape,
                              cudaStream_t stream);

// SwiGLU's gate: rows of 2 width -> width features, silu(first half) x second half.
void launch_gated_silu(const void* x,
                       void* y,
                       ElementType type,
                       std::int64_t rows,
                       std::int64_t width,
                       cudaStream_t stream);
void launch_gated_silu_backward(const void* x,
                                const void* dy,
                                void* dx,
                                ElementType type,
                                std::int64_t rows,
                                std::int64_t width,
                                cudaStream_t stream);

// Decoding: the next step is at the next position, and behind the last at `prompt` again.
void launch_next_position(StepState* state, int prompt, int positions, cudaStream_t stream);

}  // namespace rightsize::gpu
