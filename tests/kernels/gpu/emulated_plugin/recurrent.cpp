// cuDNN's LSTM on the host, as its documentation has it: sequences item after item, one bias per
// gate, gates i f g o.
#include "kernels/gpu/emulated_plugin/recurrent.h"

#include <cmath>
#include <vector>

using rightsize::emulation::for_each_walk;
using rightsize::emulation::set_value;
using rightsize::emulation::value_at;
using rightsize::emulation::Walk;
using rightsize::emulation::Width;

namespace {

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
