// One LSTM layer as cuDNN runs it: its descriptors, how much room it wants, where in cuDNN's own
// weight space our matrices lie, and its three calls.
#pragma once

#include <cstdint>
#include <vector>

#include <cudnn.h>

#include "kernels/gpu/device.h"
#include "kernels/gpu/handles.h"

namespace rightsize::gpu {

struct LstmShape {
  std::int64_t items = 0;
  std::int64_t positions = 0;
  std::int64_t in = 0;
  std::int64_t hidden = 0;
  int directions = 1;
  bool has_backward = false;

  [[nodiscard]] std::int64_t out() const { return directions * hidden; }
};

// Values that lie side by side in one of our parameters and in the weight space.
struct LstmPiece {
  enum class Of { input, recurrent, bias };
  Of of = Of::input;
  int direction = 0;
  std::size_t from = 0;  // byte in the parameter
  std::size_t at = 0;    // byte in the weight space
  std::size_t bytes = 0;
};

// Device addresses; states are directions x items x hidden, null: zeros at the start, not wanted at
// the end.
struct LstmMemory {
  const std::int32_t* lengths;  // of each item
  const void* x;                // items x positions x in
  void* y;                      // items x positions x out
  const void* start_output;
  const void* start_cell;
  void* end_output;
  void* end_cell;
  void* weights;    // weight_bytes
  void* workspace;  // workspace_bytes
  void* reserve;    // reserve_bytes: from the forward to the backward pass
};

class LstmPlan {
 public:
  LstmPlan(const Device& device, const LstmShape& shape);

  [[nodiscard]] std::size_t weight_bytes() const { return weight_bytes_; }
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  [[nodiscard]] std::size_t reserve_bytes() const { return reserve_bytes_; }
  // For a weight space at this address. Throws where cuDNN's matrices are not ours in its order.
  [[nodiscard]] std::vector<LstmPiece> pieces(void* weights) const;

  void forward(const LstmMemory& memory) const;
  void backward_data(const LstmMemory& memory, const void* dy, void* dx) const;
  // After backward_data; adds to `gradients`, laid out as the weight space.
  void backward_weights(const LstmMemory& memory, void* gradients) const;

 private:
  using RnnDescriptor =
      Owned<cudnnRNNDescriptor_t, cudnnCreateRNNDescriptor, cudnnDestroyRNNDescriptor>;
  using DataDescriptor =
      Owned<cudnnRNNDataDescriptor_t, cudnnCreateRNNDataDescriptor, cudnnDestroyRNNDataDescriptor>;
  using DropoutDescriptor =
      Owned<cudnnDropoutDescriptor_t, cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor>;

  void describe_network();
  void describe(const DataDescriptor& descriptor, std::int64_t features) const;
  void describe_state() const;
  [[nodiscard]] cudnnForwardMode_t mode() const;
  void add_piece(std::vector<LstmPiece>& pieces, const LstmPiece& piece) const;

  const Device& device_;
  LstmShape shape_;
  DropoutDescriptor dropout_;
  RnnDescriptor network_;
  DataDescriptor x_, y_;
  TensorDescriptor state_;
  std::size_t weight_bytes_ = 0;
  std::size_t workspace_bytes_ = 0;
  std::size_t reserve_bytes_ = 0;
};

}  // namespace rightsize::gpu
