// cuDNN's LSTM on the host, as its documentation has it: sequences item after item, one bias per
// gate, gates i f g o. Its weight space is laid out unlike our parameters on purpose.
#include <cmath>
#include <cstring>
#include <vector>

#include <cudnn.h>

#include "kernels/gpu/emulated_plugin/tensor_descriptor.h"
#include "kernels/gpu/emulated_plugin/values.h"

using rightsize::emulation::bytes_of;
using rightsize::emulation::set_value;
using rightsize::emulation::value_at;
using rightsize::emulation::Width;
using rightsize::emulation::width_of;

struct cudnnRNNStruct {
  Width type;
  std::int64_t in, hidden;
  int directions;

  [[nodiscard]] std::int64_t out() const { return directions * hidden; }
  // In values: per direction the square matrices, a gap, the biases, the input matrices from the
  // last gate to the first.
  [[nodiscard]] std::int64_t direction_size() const { return 4 * hidden * (hidden + in + 1) + 16; }
  [[nodiscard]] std::int64_t recurrent(int direction, int gate) const {
    return direction * direction_size() + gate * hidden * hidden;
  }
  [[nodiscard]] std::int64_t bias(int direction, int gate) const {
    return recurrent(direction, 4) + 16 + gate * hidden;
  }
  [[nodiscard]] std::int64_t input(int direction, int gate) const {
    return bias(direction, 4) + (3 - gate) * hidden * in;
  }
};

struct cudnnRNNDataStruct {
  std::int64_t positions, items, features;
};

struct cudnnDropoutStruct {};

namespace {

// One direction of one item: which rows it visits, and what it keeps of each for the way back.
struct Walk {
  const cudnnRNNStruct& net;
  const cudnnRNNDataStruct& x;
  int direction;
  std::int64_t item;
  float* reserve;

  [[nodiscard]] std::int64_t row(std::int64_t step) const {
    return item * x.positions + (direction == 0 ? step : x.positions - 1 - step);
  }
  // Gates i f g o, then the cell: five times `hidden` values.
  [[nodiscard]] float* kept(std::int64_t step) const {
    return reserve + (row(step) * net.directions + direction) * 5 * net.hidden;
  }
  [[nodiscard]] std::int64_t state(std::int64_t k) const {
    return (direction * x.items + item) * net.hidden + k;
  }
  [[nodiscard]] std::int64_t output(std::int64_t step, std::int64_t k) const {
    return row(step) * net.out() + direction * net.hidden + k;
  }
  [[nodiscard]] double before(const void* y,
                              const void* start,
                              std::int64_t step,
                              std::int64_t k) const {
    if (step > 0) {
      return static_cast<double>(value_at(y, net.type, output(step - 1, k)));
    }
    return start == nullptr ? 0 : static_cast<double>(value_at(start, net.type, state(k)));
  }
  [[nodiscard]] double cell_before(const void* start, std::int64_t step, std::int64_t k) const {
    if (step > 0) {
      return static_cast<double>(kept(step - 1)[4 * net.hidden + k]);
    }
    return start == nullptr ? 0 : static_cast<double>(value_at(start, net.type, state(k)));
  }
};

template <typename Visit>
void for_each_walk(const cudnnRNNStruct& net,
                   const cudnnRNNDataStruct& x,
                   void* reserve,
                   Visit visit) {
  for (int direction = 0; direction < net.directions; ++direction) {
    for (std::int64_t item = 0; item < x.items; ++item) {
      visit(Walk{net, x, direction, item, static_cast<float*>(reserve)});
    }
  }
}

std::size_t reserve_bytes(const cudnnRNNStruct& net, const cudnnRNNDataStruct& x) {
  return static_cast<std::size_t>(x.items * x.positions * net.out() * 5) * sizeof(float);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// The gates' arguments at one step.
std::vector<double> arguments(const Walk& walk,
                              const void* weights,
                              const void* x,
                              const void* y,
                              const void* start,
                              std::int64_t step) {
  const auto& net = walk.net;
  const auto weight = [&](std::int64_t at) {
    return static_cast<double>(value_at(weights, net.type, at));
  };
  std::vector<double> sums;
  for (int gate = 0; gate < 4; ++gate) {
    for (std::int64_t k = 0; k < net.hidden; ++k) {
      double sum = weight(net.bias(walk.direction, gate) + k);
      for (std::int64_t c = 0; c < net.in; ++c) {
        sum += weight(net.input(walk.direction, gate) + k * net.in + c) *
               static_cast<double>(value_at(x, net.type, walk.row(step) * net.in + c));
      }
      for (std::int64_t c = 0; c < net.hidden; ++c) {
        sum += weight(net.recurrent(walk.direction, gate) + k * net.hidden + c) *
               walk.before(y, start, step, c);
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

// Leaves the gradients of the gates' arguments in the place of the gates.
void gate_gradients(const Walk& walk, const void* weights, const void* dy, const void* start_cell) {
  const auto& net = walk.net;
  const auto hidden = net.hidden;
  std::vector<double> later(static_cast<std::size_t>(hidden), 0);
  std::vector<double> cell(static_cast<std::size_t>(hidden), 0);
  for (std::int64_t step = walk.x.positions; step-- > 0;) {
    float* const g = walk.kept(step);
    for (std::int64_t k = 0; k < hidden; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const auto gate = [&](int which) { return static_cast<double>(g[which * hidden + k]); };
      const double t = std::tanh(gate(4));
      const double dh =
          static_cast<double>(value_at(dy, net.type, walk.output(step, k))) + later[at];
      const double dc = cell[at] + dh * gate(3) * (1 - t * t);
      cell[at] = dc * gate(1);
      const double by_out = dh * t * gate(3) * (1 - gate(3));
      const double by_forget = dc * walk.cell_before(start_cell, step, k) * gate(1) * (1 - gate(1));
      const double by_in = dc * gate(2) * gate(0) * (1 - gate(0));
      const double by_candidate = dc * gate(0) * (1 - gate(2) * gate(2));
      g[k] = static_cast<float>(by_in);
      g[hidden + k] = static_cast<float>(by_forget);
      g[2 * hidden + k] = static_cast<float>(by_candidate);
      g[3 * hidden + k] = static_cast<float>(by_out);
    }
    for (std::int64_t c = 0; c < hidden; ++c) {
      double sum = 0;
      for (int gate = 0; gate < 4; ++gate) {
        for (std::int64_t k = 0; k < hidden; ++k) {
          const auto at = net.recurrent(walk.direction, gate) + k * hidden + c;
          sum += static_cast<double>(g[gate * hidden + k]) *
                 static_cast<double>(value_at(weights, net.type, at));
        }
      }
      later[static_cast<std::size_t>(c)] = sum;
    }
  }
}

void add_to(void* data, Width type, std::int64_t at, double more) {
  set_value(data, type, at, static_cast<double>(value_at(data, type, at)) + more);
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* made) {
  *made = new cudnnRNNStruct{};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* made) {
  *made = new cudnnRNNDataStruct{};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* made) {
  *made = new cudnnDropoutStruct;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetDropoutDescriptor(
    cudnnDropoutDescriptor_t, cudnnHandle_t, float, void*, std::size_t, unsigned long long) {
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t net,
                                       cudnnRNNAlgo_t,
                                       cudnnRNNMode_t cell,
                                       cudnnRNNBiasMode_t bias,
                                       cudnnDirectionMode_t direction,
                                       cudnnRNNInputMode_t input,
                                       cudnnDataType_t type,
                                       cudnnDataType_t,
                                       cudnnMathType_t,
                                       std::int32_t in,
                                       std::int32_t hidden,
                                       std::int32_t projected,
                                       std::int32_t layers,
                                       cudnnDropoutDescriptor_t,
                                       std::uint32_t flags) {
  const bool known = cell == CUDNN_LSTM && bias == CUDNN_RNN_SINGLE_INP_BIAS &&
                     input == CUDNN_LINEAR_INPUT && projected == hidden && layers == 1 &&
                     flags == CUDNN_RNN_PADDED_IO_ENABLED;
  *net = {width_of(type), in, hidden, direction == CUDNN_BIDIRECTIONAL ? 2 : 1};
  return known ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t made,
                                        cudnnDataType_t,
                                        cudnnRNNDataLayout_t layout,
                                        int positions,
                                        int items,
                                        int features,
                                        const int*,
                                        void*) {
  *made = {positions, items, features};
  return layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED ? CUDNN_STATUS_SUCCESS
                                                              : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t,
                                         cudnnRNNDescriptor_t net,
                                         std::size_t* bytes) {
  *bytes = static_cast<std::size_t>(net->directions * net->direction_size()) * bytes_of(net->type);
  return CUDNN_STATUS_SUCCESS;
}

// Inference keeps its cells in the workspace.
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t,
                                        cudnnRNNDescriptor_t net,
                                        cudnnForwardMode_t mode,
                                        cudnnRNNDataDescriptor_t x,
                                        std::size_t* workspace,
                                        std::size_t* reserve) {
  *workspace = reserve_bytes(*net, *x);
  *reserve = mode == CUDNN_FWD_MODE_TRAINING ? reserve_bytes(*net, *x) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t,
                                      cudnnRNNDescriptor_t net,
                                      std::int32_t direction,
                                      std::size_t,
                                      const void* weights,
                                      std::int32_t which,
                                      cudnnTensorDescriptor_t matrix,
                                      void** matrix_at,
                                      cudnnTensorDescriptor_t bias,
                                      void** bias_at) {
  const int gate = which % 4;
  const auto address = [&](std::int64_t value) {
    auto* const bytes = static_cast<std::byte*>(const_cast<void*>(weights));
    return bytes + static_cast<std::size_t>(value) * bytes_of(net->type);
  };
  const auto hidden = static_cast<int>(net->hidden);
  *matrix_at = address(which < 4 ? net->input(direction, gate) : net->recurrent(direction, gate));
  matrix->sizes = {1, hidden, which < 4 ? static_cast<int>(net->in) : hidden};
  *bias_at = which < 4 ? address(net->bias(direction, gate)) : nullptr;
  bias->sizes = which < 4 ? std::array{1, hidden, 1} : std::array{0, 0, 0};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNForward(cudnnHandle_t,
                              cudnnRNNDescriptor_t net,
                              cudnnForwardMode_t mode,
                              const std::int32_t*,
                              cudnnRNNDataDescriptor_t x_layout,
                              const void* x,
                              cudnnRNNDataDescriptor_t,
                              void* y,
                              cudnnTensorDescriptor_t,
                              const void* start_output,
                              void* end_output,
                              cudnnTensorDescriptor_t,
                              const void* start_cell,
                              void* end_cell,
                              std::size_t,
                              const void* weights,
                              std::size_t,
                              void* workspace,
                              std::size_t,
                              void* reserve) {
  void* const kept = mode == CUDNN_FWD_MODE_TRAINING ? reserve : workspace;
  for_each_walk(*net, *x_layout, kept, [&](const Walk& walk) {
    const auto hidden = net->hidden;
    for (std::int64_t step = 0; step < x_layout->positions; ++step) {
      const auto sums = arguments(walk, weights, x, y, start_output, step);
      float* const g = walk.kept(step);
      for (std::int64_t k = 0; k < hidden; ++k) {
        const auto sum = [&](int gate) {
          return sums[static_cast<std::size_t>(gate * hidden + k)];
        };
        const double in = sigmoid(sum(0));
        const double forget = sigmoid(sum(1));
        const double candidate = std::tanh(sum(2));
        const double out = sigmoid(sum(3));
        const double cell = forget * walk.cell_before(start_cell, step, k) + in * candidate;
        const double values[] = {in, forget, candidate, out, cell};
        for (int i = 0; i < 5; ++i) {
          g[i * hidden + k] = static_cast<float>(values[i]);
        }
        set_value(y, net->type, walk.output(step, k), out * std::tanh(cell));
        if (end_output != nullptr && step + 1 == x_layout->positions) {
          set_value(end_output, net->type, walk.state(k), out * std::tanh(cell));
          set_value(end_cell, net->type, walk.state(k), cell);
        }
      }
    }
  });
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t,
                                      cudnnRNNDescriptor_t net,
                                      const std::int32_t*,
                                      cudnnRNNDataDescriptor_t,
                                      const void*,
                                      const void* dy,
                                      cudnnRNNDataDescriptor_t x_layout,
                                      void* dx,
                                      cudnnTensorDescriptor_t,
                                      const void*,
                                      const void*,
                                      void*,
                                      cudnnTensorDescriptor_t,
                                      const void* start_cell,
                                      const void*,
                                      void*,
                                      std::size_t,
                                      const void* weights,
                                      std::size_t,
                                      void*,
                                      std::size_t,
                                      void* reserve) {
  std::vector<double> sums(
      static_cast<std::size_t>(x_layout->items * x_layout->positions * net->in));
  for_each_walk(*net, *x_layout, reserve, [&](const Walk& walk) {
    gate_gradients(walk, weights, dy, start_cell);
    for (std::int64_t step = 0; step < x_layout->positions; ++step) {
      for (std::int64_t c = 0; c < net->in; ++c) {
        for (std::int64_t k = 0; k < 4 * net->hidden; ++k) {
          const int gate = static_cast<int>(k / net->hidden);
          const auto at = net->input(walk.direction, gate) + k % net->hidden * net->in + c;
          sums[static_cast<std::size_t>(walk.row(step) * net->in + c)] +=
              static_cast<double>(walk.kept(step)[k]) *
              static_cast<double>(value_at(weights, net->type, at));
        }
      }
    }
  });
  for (std::size_t i = 0; i < sums.size(); ++i) {
    set_value(dx, net->type, static_cast<std::int64_t>(i), sums[i]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t,
                                         cudnnRNNDescriptor_t net,
                                         cudnnWgradMode_t mode,
                                         const std::int32_t*,
                                         cudnnRNNDataDescriptor_t x_layout,
                                         const void* x,
                                         cudnnTensorDescriptor_t,
                                         const void* start_output,
                                         cudnnRNNDataDescriptor_t,
                                         const void* y,
                                         std::size_t,
                                         void* gradients,
                                         std::size_t,
                                         void*,
                                         std::size_t,
                                         void* reserve) {
  for_each_walk(*net, *x_layout, reserve, [&](const Walk& walk) {
    for (std::int64_t step = 0; step < x_layout->positions; ++step) {
      for (std::int64_t i = 0; i < 4 * net->hidden; ++i) {
        const int gate = static_cast<int>(i / net->hidden);
        const auto k = i % net->hidden;
        const auto arriving = static_cast<double>(walk.kept(step)[i]);
        add_to(gradients, net->type, net->bias(walk.direction, gate) + k, arriving);
        for (std::int64_t c = 0; c < net->in; ++c) {
          const auto at = net->input(walk.direction, gate) + k * net->in + c;
          const auto in = static_cast<double>(value_at(x, net->type, walk.row(step) * net->in + c));
          add_to(gradients, net->type, at, arriving * in);
        }
        for (std::int64_t c = 0; c < net->hidden; ++c) {
          const auto at = net->recurrent(walk.direction, gate) + k * net->hidden + c;
          add_to(gradients, net->type, at, arriving * walk.before(y, start_output, step, c));
        }
      }
    }
  });
  return mode == CUDNN_WGRAD_MODE_ADD ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}
}
