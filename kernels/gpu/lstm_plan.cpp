#include "kernels/gpu/lstm_plan.h"

#include <array>

#include <fmt/format.h>

namespace rightsize::gpu {
namespace {

constexpr int gates = 4;  // in our order and cuDNN's: input, forget, candidate, output

std::int64_t count_of(const TensorDescriptor& descriptor) {
  std::array<int, 3> sizes{};
  std::array<int, 3> strides{};
  int dimensions = 0;
  cudnnDataType_t type{};
  check(cudnnGetTensorNdDescriptor(
      descriptor.get(), 3, &type, &dimensions, sizes.data(), strides.data()));
  return std::int64_t{sizes[0]} * sizes[1] * sizes[2];
}

}  // namespace

LstmPlan::LstmPlan(const Device& device, const LstmShape& shape) : device_(device), shape_(shape) {
  describe_network();
  describe(x_, shape_.in);
  describe(y_, shape_.out());
  describe_state();
  check(cudnnGetRNNWeightSpaceSize(device_.cudnn(), network_.get(), &weight_bytes_));
  check(cudnnGetRNNTempSpaceSizes(
      device_.cudnn(), network_.get(), mode(), x_.get(), &workspace_bytes_, &reserve_bytes_));
}

cudnnForwardMode_t LstmPlan::mode() const {
  return shape_.has_backward ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
}

// One layer, so the dropout between layers has nothing to do, but cuDNN wants to know its rate.
void LstmPlan::describe_network() {
  check(cudnnSetDropoutDescriptor(dropout_.get(), device_.cudnn(), 0.0F, nullptr, 0, 0));
  const auto type = cudnn_type(device_.type());
  check(
      cudnnSetRNNDescriptor_v8(network_.get(),
                               CUDNN_RNN_ALGO_STANDARD,
                               CUDNN_LSTM,
                               CUDNN_RNN_SINGLE_INP_BIAS,
                               shape_.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL,
                               CUDNN_LINEAR_INPUT,
                               type,
                               CUDNN_DATA_FLOAT,
                               device_.math(),
                               static_cast<std::int32_t>(shape_.in),
                               static_cast<std::int32_t>(shape_.hidden),
                               static_cast<std::int32_t>(shape_.hidden),  // no projection
                               1,
                               dropout_.get(),
                               CUDNN_RNN_PADDED_IO_ENABLED));  // what an unpacked layout asks for
}

void LstmPlan::describe(const DataDescriptor& descriptor, std::int64_t features) const {
  const std::vector<int> lengths(static_cast<std::size_t>(shape_.items),
                                 static_cast<int>(shape_.positions));
  check(cudnnSetRNNDataDescriptor(descriptor.get(),
                                  cudnn_type(device_.type()),
                                  CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED,
                                  static_cast<int>(shape_.positions),
                                  static_cast<int>(shape_.items),
                                  static_cast<int>(features),
                                  lengths.data(),
                                  nullptr));
}

void LstmPlan::describe_state() const {
  const auto items = static_cast<int>(shape_.items);
  const auto hidden = static_cast<int>(shape_.hidden);
  const std::array<int, 3> sizes{shape_.directions, items, hidden};
  const std::array<int, 3> strides{items * hidden, hidden, 1};
  check(cudnnSetTensorNdDescriptor(
      state_.get(), cudnn_type(device_.type()), 3, sizes.data(), strides.data()));
}

// Neighbours on both sides are one piece.
void LstmPlan::add_piece(std::vector<LstmPiece>& pieces, const LstmPiece& piece) const {
  if (!pieces.empty()) {
    auto& last = pieces.back();
    if (last.of == piece.of && last.direction == piece.direction &&
        last.from + last.bytes == piece.from && last.at + last.bytes == piece.at) {
      last.bytes += piece.bytes;
      return;
    }
  }
  pieces.push_back(piece);
}

std::vector<LstmPiece> LstmPlan::pieces(void* weights) const {
  using Of = LstmPiece::Of;
  std::vector<LstmPiece> pieces;
  const auto size = bytes_of(device_.type());
  const auto add = [&](Of of, int direction, int gate, std::int64_t count, const void* address) {
    const auto bytes = static_cast<std::size_t>(count) * size;
    const auto offset =
        static_cast<const std::byte*>(address) - static_cast<const std::byte*>(weights);
    const auto from = static_cast<std::size_t>(gate) * bytes;
    add_piece(pieces, {of, direction, from, static_cast<std::size_t>(offset), bytes});
  };
  for (const Of of : {Of::input, Of::recurrent, Of::bias}) {
    for (int direction = 0; direction < shape_.directions; ++direction) {
      for (int gate = 0; gate < gates; ++gate) {
        const TensorDescriptor matrix;
        const TensorDescriptor bias;
        void* matrix_at = nullptr;
        void* bias_at = nullptr;
        check(cudnnGetRNNWeightParams(device_.cudnn(),
                                      network_.get(),
                                      direction,
                                      weight_bytes_,
                                      weights,
                                      of == Of::recurrent ? gates + gate : gate,
                                      matrix.get(),
                                      &matrix_at,
                                      bias.get(),
                                      &bias_at));
        const auto count = of == Of::bias
                               ? shape_.hidden
                               : shape_.hidden * (of == Of::input ? shape_.in : shape_.hidden);
        if (count_of(of == Of::bias ? bias : matrix) != count) {
          throw GpuError(abi::Status::unsupported,
                         fmt::format("cuDNN {} keeps the weights of an LSTM in another shape than "
                                     "this plugin knows; use engine cpu",
                                     cudnnGetVersion()));
        }
        add(of, direction, gate, count, of == Of::bias ? bias_at : matrix_at);
      }
    }
  }
  return pieces;
}

void LstmPlan::forward(const LstmMemory& memory) const {
  check(cudnnRNNForward(device_.cudnn(),
                        network_.get(),
                        mode(),
                        memory.lengths,
                        x_.get(),
                        memory.x,
                        y_.get(),
                        memory.y,
                        state_.get(),
                        memory.start_output,
                        memory.end_output,
                        state_.get(),
                        memory.start_cell,
                        memory.end_cell,
                        weight_bytes_,
                        memory.weights,
                        workspace_bytes_,
                        memory.workspace,
                        reserve_bytes_,
                        memory.reserve));
}

// The state at the end gets no gradient, and nobody asks for that of the state at the start.
void LstmPlan::backward_data(const LstmMemory& memory, const void* dy, void* dx) const {
  check(cudnnRNNBackwardData_v8(device_.cudnn(),
                                network_.get(),
                                memory.lengths,
                                y_.get(),
                                memory.y,
                                dy,
                                x_.get(),
                                dx,
                                state_.get(),
                                memory.start_output,
                                nullptr,
                                nullptr,
                                state_.get(),
                                memory.start_cell,
                                nullptr,
                                nullptr,
                                weight_bytes_,
                                memory.weights,
                                workspace_bytes_,
                                memory.workspace,
                                reserve_bytes_,
                                memory.reserve));
}

void LstmPlan::backward_weights(const LstmMemory& memory, void* gradients) const {
  check(cudnnRNNBackwardWeights_v8(device_.cudnn(),
                                   network_.get(),
                                   CUDNN_WGRAD_MODE_ADD,
                                   memory.lengths,
                                   x_.get(),
                                   memory.x,
                                   state_.get(),
                                   memory.start_output,
                                   y_.get(),
                                   memory.y,
                                   weight_bytes_,
                                   gradients,
                                   workspace_bytes_,
                                   memory.workspace,
                                   reserve_bytes_,
                                   memory.reserve));
}

}  // namespace rightsize::gpu
