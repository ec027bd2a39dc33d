// By the product rule each gradient is the arriving one times the other factor, summed over the
// positions that share a gate.
#include <fmt/format.h>

#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

constexpr std::int64_t most_gated_items = 65535;  // the sum's grid has one row of blocks for each

class Multiply final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    a_ = inputs[0];
    b_ = inputs[1];
    if (is_gate() && context().has_backward && a_.shape.n > most_gated_items) {
      throw GpuError(abi::Status::unsupported,
                     fmt::format("layer {}: a product with one value per channel trains with at "
                                 "most {} items; use a smaller batch",
                                 layer().name,
                                 most_gated_items));
    }
    const auto output = lowering().tensor(a_.shape, type());
    emit_product(named(".forward"), a_, output);
    return output;
  }

  // The second factor's gradient first: the first one's may take the arriving gradient's place.
  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto by_b = lowering().tensor(b_.shape, type());
    lowering().emit(named(".backward_second"),
                    [this, arriving, by_b] { run_second(arriving, by_b); },
                    {a_.buffer, arriving.buffer, by_b.buffer});
    const auto by_a = gradient.exclusive ? arriving : lowering().tensor(a_.shape, type());
    emit_product(named(".backward_first"), arriving, by_a);
    return {{by_a}, {by_b}};
  }

 private:
  [[nodiscard]] bool is_gate() const { return b_.shape.elements() != a_.shape.elements(); }

  // to = from x the second factor
  void emit_product(std::string name, const Tensor& from, const Tensor& to) {
    lowering().emit(std::move(name),
                    [this, from, to] {
                      const auto* const x = lowering().address(from);
                      const auto* const b = lowering().address(b_);
                      auto* const y = lowering().address(to);
                      if (is_gate()) {
                        launch_gate(x, b, y, type(), a_.shape, stream());
                      } else {
                        launch_multiply(x, b, y, type(), a_.shape.elements(), stream());
                      }
                      check_launch();
                    },
                    {from.buffer, b_.buffer, to.buffer});
  }

  void run_second(const Tensor& arriving, const Tensor& to) {
    const auto* const a = lowering().address(a_);
    const auto* const dy = lowering().address(arriving);
    if (is_gate()) {
      launch_gate_gradient(a, dy, lowering().address(to), type(), a_.shape, stream());
    } else {
      launch_multiply(a, dy, lowering().address(to), type(), a_.shape.elements(), stream());
    }
    check_launch();
  }

  Tensor a_, b_;
};

}  // namespace

std::unique_ptr<Operation> make_multiply(const OperationContext& context) {
  return std::make_unique<Multiply>(context);
}

}  // namespace rightsize::gpu
