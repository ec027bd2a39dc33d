// LSTM layers on cuDNN, which keeps the weights in an order of its own: they are copied there
// before the forward pass, and their gradients back after the backward pass.
#include <optional>

#include "kernels/gpu/lstm_plan.h"
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class Lstm final : public Operation {
 public:
  explicit Lstm(const OperationContext& context) : Operation(context) {
    const int directions = layer().bidirectional ? 2 : 1;
    for (int direction = 0; direction < directions; ++direction) {
      const std::string suffix = direction == 0 ? "" : "_reverse";
      input_.push_back(&parameter((".weights" + suffix).c_str()));
      recurrent_.push_back(&parameter((".recurrent" + suffix).c_str()));
      bias_.push_back(&parameter((".bias" + suffix).c_str()));
    }
  }

  void tune() override {
    pieces_ = plan_->pieces(lowering().address(weights_));
    const std::vector<std::int32_t> lengths(static_cast<std::size_t>(source_.shape.n),
                                            static_cast<std::int32_t>(source_.shape.h));
    check(cudaMemcpyAsync(lowering().address(lengths_),
                          lengths.data(),
                          lengths.size() * sizeof(std::int32_t),
                          cudaMemcpyHostToDevice,
                          stream()));
    device().stream().wait();
  }

  void start() override {
    for (const int state : {start_output_, start_cell_}) {
      if (state >= 0) {
        check(cudaMemsetAsync(lowering().address(state), 0, lowering().bytes(state), stream()));
      }
    }
  }

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    plan_.emplace(device(),
                  LstmShape{source_.shape.n,
                            source_.shape.h * source_.shape.w,
                            source_.shape.c,
                            layer().hidden,
                            static_cast<int>(input_.size()),
                            context().has_backward});
    add_buffers();
    std::vector<int> touched{source_.buffer, output_.buffer};
    for (const auto* parameters : {&input_, &recurrent_, &bias_}) {
      for (const auto* parameter : *parameters) {
        touched.push_back(parameter->compute);
      }
    }
    lowering().emit(
        named(".gather_weights"), [this] { gather_weights(); }, with_own(touched));
    lowering().emit(
        named(".forward"), [this] { plan_->forward(memory()); }, with_own(touched));
    return output_;
  }

  // Not in the forward pass: the backward pass still asks for where it started, and an evaluation
  // between two steps must not disturb them.
  void finish_step() override {
    if (start_output_ < 0) {
      return;
    }
    lowering().emit(
        named(".carry"),
        [this] {
          const auto bytes = lowering().bytes(last_output_);
          copy(lowering().address(last_output_), lowering().address(start_output_), bytes);
          copy(lowering().address(last_cell_), lowering().address(start_cell_), bytes);
        },
        {start_output_, start_cell_, last_output_, last_cell_});
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto result = lowering().tensor(source_.shape, type());
    const int gradients = lowering().buffer(plan_->weight_bytes());
    std::vector<int> touched{
        source_.buffer, output_.buffer, arriving.buffer, result.buffer, gradients};
    lowering().emit(
        named(".backward_data"),
        [this, arriving, result] {
          plan_->backward_data(memory(), lowering().address(arriving), lowering().address(result));
        },
        with_own(touched));
    for (const auto* parameters : {&input_, &recurrent_, &bias_}) {
      for (const auto* parameter : *parameters) {
        touched.push_back(parameter->gradient);
      }
    }
    lowering().emit(
        named(".backward_weights"),
        [this, gradients] { run_backward_weights(gradients); },
        with_own(touched));
    return {context().input_gradient ? Gradient{result} : Gradient{}};
  }

 private:
  void add_buffers() {
    const auto kept = [&](std::size_t bytes) {
      const int buffer = lowering().buffer(bytes);
      lowering().keep(buffer);
      return buffer;
    };
    weights_ = lowering().buffer(plan_->weight_bytes());
    reserve_ = lowering().buffer(plan_->reserve_bytes());
    lowering().grow(context().shared.workspace, plan_->workspace_bytes());
    lengths_ = kept(static_cast<std::size_t>(source_.shape.n) * sizeof(std::int32_t));
    if (layer().carries_state) {
      const auto values = static_cast<std::size_t>(source_.shape.n * output_.shape.c);
      const auto bytes = values * bytes_of(type());
      start_output_ = kept(bytes);
      start_cell_ = kept(bytes);
      last_output_ = lowering().buffer(bytes);
      last_cell_ = lowering().buffer(bytes);
    }
  }

  [[nodiscard]] std::vector<int> with_own(std::vector<int> buffers) const {
    buffers.insert(
        buffers.end(),
        {weights_, reserve_, lengths_, start_output_, start_cell_, last_output_, last_cell_});
    buffers.push_back(context().shared.workspace);
    return buffers;
  }

  [[nodiscard]] void* address_or_null(int buffer) const {
    return buffer < 0 ? nullptr : lowering().address(buffer);
  }

  [[nodiscard]] LstmMemory memory() const {
    return {lowering().address_as<std::int32_t>(lengths_),
            lowering().address(source_),
            lowering().address(output_),
            address_or_null(start_output_),
            address_or_null(start_cell_),
            address_or_null(last_output_),
            address_or_null(last_cell_),
            lowering().address(weights_),
            lowering().address(context().shared.workspace),
            plan_->reserve_bytes() == 0 ? nullptr : lowering().address(reserve_)};
  }

  [[nodiscard]] const Parameter& owner(const LstmPiece& piece) const {
    const auto direction = static_cast<std::size_t>(piece.direction);
    switch (piece.of) {
      case LstmPiece::Of::input:
        return *input_[direction];
      case LstmPiece::Of::recurrent:
        return *recurrent_[direction];
      case LstmPiece::Of::bias:
        break;
    }
    return *bias_[direction];
  }

  void copy(const void* from, void* to, std::size_t bytes) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()));
  }

  [[nodiscard]] std::byte* byte(int buffer, std::size_t at) const {
    return lowering().address_as<std::byte>(buffer) + at;
  }

  void gather_weights() const {
    for (const auto& piece : pieces_) {
      copy(byte(owner(piece).compute, piece.from), byte(weights_, piece.at), piece.bytes);
    }
  }

  void run_backward_weights(int gradients) const {
    check(cudaMemsetAsync(lowering().address(gradients), 0, lowering().bytes(gradients), stream()));
    plan_->backward_weights(memory(), lowering().address(gradients));
    for (const auto& piece : pieces_) {
      const auto& parameter = owner(piece);
      const void* const from = byte(gradients, piece.at);
      if (parameter.gradient_type == type()) {
        copy(from, byte(parameter.gradient, piece.from), piece.bytes);
        continue;
      }
      const auto size = bytes_of(type());  // a bias: its gradient is FP32
      launch_to_float(from,
                      lowering().address_as<float>(parameter.gradient) + piece.from / size,
                      type(),
                      static_cast<std::int64_t>(piece.bytes / size),
                      stream());
      check_launch();
    }
  }

  std::vector<const Parameter*> input_, recurrent_, bias_;  // by direction
  std::optional<LstmPlan> plan_;
  std::vector<LstmPiece> pieces_;
  Tensor source_, output_;
  int weights_ = -1;
  int reserve_ = -1;
  int lengths_ = -1;
  int start_output_ = -1;  // where the layer carries its state, as the next three
  int start_cell_ = -1;
  int last_output_ = -1;
  int last_cell_ = -1;
};

}  // namespace

std::unique_ptr<Operation> make_lstm(const OperationContext& context) {
  return std::make_unique<Lstm>(context);
}

}  // namespace rightsize::gpu
