#include <algorithm>
#include <cmath>
#include <vector>

#include <omp.h>

#include "kernels/cpu/lstm_direction.h"
#include "kernels/cpu/lstm_resident.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;

memory::desc by_columns(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::ba};
}

// One direction's learned values and memory.
struct Direction {
  LstmShape shape;
  std::int64_t first_feature = 0;  // of the output row
  Parameter input, recurrent, bias;
  Tensor start_output, start_cell;  // where the pass starts; kept where the layer carries its state
  Tensor last_output, last_cell;    // where it ended, for the next step to start from
  Tensor gates, cells;
  Tensor input_turned;  // where lstm_resident.h takes it through: inference alone

  [[nodiscard]] LstmWeights weights(const float* recurrent_turned = nullptr) const {
    return {input.value.data(), recurrent.value.data(), recurrent_turned, bias.value.data()};
  }
  [[nodiscard]] LstmForward forward(const Tensor& x, const Tensor& y) const {
    return {x.data(),
            start_output.data(),
            start_cell.data(),
            gates.data(),
            cells.data(),
            y.data() + first_feature};
  }
  [[nodiscard]] LstmResident resident(const Tensor& x, const Tensor& y) const {
    return {x.data(),
            start_output.data(),
            start_cell.data(),
            input_turned.data(),
            recurrent.value.data(),
            bias.value.data(),
            gates.data(),
            cells.data(),
            y.data() + first_feature};
  }
  void run_forward(const Tensor& x, const Tensor& y) const {
    if (input_turned) {
      lstm_resident(shape, resident(x, y));
    } else {
      lstm_forward(shape, weights(), forward(x, y));
    }
  }
  // Of item n where the pass ended.
  [[nodiscard]] const float* end_cell(std::int64_t n, std::int64_t row) const {
    return input_turned ? last_cells(shape, cells.data()) + n * shape.hidden
                        : cells.data() + row * shape.hidden;
  }
};

// The state in which the pass ended: the outputs and cells at the last position visited.
void note_end(const Direction& direction, const Tensor& y) {
  const auto& shape = direction.shape;
  const auto t = shape.reverse ? 0 : shape.positions - 1;
  for (std::int64_t n = 0; n < shape.items; ++n) {
    const auto row = n * shape.positions + t;
    std::copy_n(y.data() + row * shape.out + direction.first_feature,
                shape.hidden,
                direction.last_output.data() + n * shape.hidden);
    std::copy_n(
        direction.end_cell(n, row), shape.hidden, direction.last_cell.data() + n * shape.hidden);
  }
}

// FP32 whatever the engine's type: the recurrence adds rounding errors up over the positions.
class Lstm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto items = dims_of(inputs[0].desc())[0];
    in_ = {items, layer().out.positions(), dims_of(inputs[0].desc())[1]};
    out_ = sequence_shape(layer().out, items);
    x_ = wide(inputs[0], in_);
    y_ = lowering().buffer(sequence_desc(out_, memory::data_type::f32));
    directions_.resize(layer().bidirectional ? 2 : 1);
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      prepare(directions_[i], i);
      emit_forward(directions_[i]);
    }
    return lowering().reordered(y_, sequence_desc(out_, lowering().type()));
  }

  // Not in the forward pass: an evaluation between two steps must not disturb them.
  void finish_step() override {
    for (const auto& direction : directions_) {
      if (direction.last_output) {
        lowering().copy(direction.last_output, direction.start_output);
        lowering().copy(direction.last_cell, direction.start_cell);
      }
    }
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto dy = wide(gradient.tensor, out_);
    Tensor dx;
    if (context().input_gradient) {
      dx = lowering().buffer(sequence_desc(in_, memory::data_type::f32));
      lowering().emit(
          named(".clear"),
          [dx, count = in_.rows() * in_.features] { std::fill_n(dx.data(), count, 0.0F); },
          {dx});
    }
    for (const auto& direction : directions_) {
      emit_backward(direction, dy, dx);
    }
    if (!dx) {
      return {Gradient{}};
    }
    return {{lowering().reordered(dx, sequence_desc(in_, lowering().type()))}};
  }

 private:
  [[nodiscard]] Tensor wide(const Tensor& tensor, const SequenceShape& shape) {
    const auto desc = sequence_desc(shape, memory::data_type::f32);
    if (tensor.buffer >= 0) {
      return lowering().reordered(tensor, desc);
    }
    const auto result = lowering().buffer(desc);  // the caller's own memory has none
    lowering().copy(tensor, result);
    return result;
  }

  [[nodiscard]] Tensor state() { return lowering().buffer(plain({in_.items, layer().hidden})); }

  // Glorot and Bengio's variance for the input weights, 1 / hidden for the square ones.
  void prepare(Direction& direction, std::size_t index) {
    const auto hidden = layer().hidden;
    const std::string suffix = index == 0 ? "" : "_reverse";
    direction.shape = {in_.items, in_.positions, in_.features, hidden, out_.features, index == 1};
    direction.first_feature = static_cast<std::int64_t>(index) * hidden;
    const auto add = [&](const char* name, const memory::desc& desc, float deviation) {
      return context().parameters.add(
          lowering(), named(name) + suffix, desc, {0, deviation}, deviation > 0);
    };
    const auto fans = static_cast<float>(in_.features + hidden);
    direction.input = add(".weights", plain({4 * hidden, in_.features}), std::sqrt(2.0F / fans));
    direction.recurrent = add(".recurrent",
                              by_columns({4 * hidden, hidden}),
                              1.0F / std::sqrt(static_cast<float>(hidden)));
    direction.bias = add(".bias", plain({4 * hidden}), 0);
    direction.start_output = state();
    direction.start_cell = state();
    if (layer().carries_state) {
      direction.last_output = state();
      direction.last_cell = state();
      lowering().keep(direction.start_output);
      lowering().keep(direction.start_cell);
    }
    const bool resident =
        !has_backward(lowering().phase()) && is_resident(direction.shape, omp_get_max_threads());
    direction.gates = lowering().buffer(plain({resident ? in_.items : in_.rows(), 4 * hidden}));
    direction.cells = lowering().buffer(plain({resident ? 2 * in_.items : in_.rows(), hidden}));
    if (resident) {
      direction.input_turned =
          lowering().reordered(direction.input.value, by_columns({4 * hidden, in_.features}));
    }
  }

  void emit_forward(const Direction& d) {
    std::vector<Tensor> touched{x_,
                                y_,
                                d.input.value,
                                d.recurrent.value,
                                d.bias.value,
                                d.start_output,
                                d.start_cell,
                                d.gates,
                                d.cells};
    if (d.last_output) {
      touched.push_back(d.last_output);
      touched.push_back(d.last_cell);
    }
    if (d.input_turned) {
      touched.push_back(d.input_turned);
    }
    lowering().emit(
        named(".forward"),
        [d, x = x_, y = y_] {
          const auto count = d.shape.items * d.shape.hidden;
          if (!d.last_output) {
            std::fill_n(d.start_output.data(), count, 0.0F);
            std::fill_n(d.start_cell.data(), count, 0.0F);
          }
          d.run_forward(x, y);
          if (d.last_output) {
            note_end(d, y);
          }
        },
        touched);
  }

  void emit_backward(const Direction& d, const Tensor& dy, const Tensor& dx) {
    const auto turned =
        lowering().reordered(d.recurrent.value, plain({4 * d.shape.hidden, d.shape.hidden}));
    const auto before = lowering().buffer(plain({in_.rows(), d.shape.hidden}));
    const auto later = state();
    const auto cell = state();
    std::vector<Tensor> touched{x_,
                                y_,
                                dy,
                                before,
                                later,
                                cell,
                                d.gates,
                                d.cells,
                                d.start_output,
                                d.start_cell,
                                d.input.value,
                                d.input.gradient,
                                turned,
                                d.recurrent.gradient,
                                d.bias.gradient};
    if (dx) {
      touched.push_back(dx);
    }
    lowering().emit(
        named(".backward"),
        [d, turned, x = x_, y = y_, dy, dx, before, later, cell] {
          lstm_backward(d.shape,
                        d.weights(turned.data()),
                        {d.forward(x, y),
                         dy.data() + d.first_feature,
                         before.data(),
                         later.data(),
                         cell.data()},
                        {d.input.gradient.data(),
                         d.recurrent.gradient.data(),
                         d.bias.gradient.data(),
                         dx ? dx.data() : nullptr});
        },
        touched);
  }

  SequenceShape in_, out_;
  Tensor x_, y_;
  std::vector<Direction> directions_;
};

}  // namespace

std::unique_ptr<Operation> make_lstm(const OperationContext& context) {
  return std::make_unique<Lstm>(context);
}

}  // namespace rightsize::cpu
