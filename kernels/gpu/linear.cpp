// Linear layers on cuBLAS. It thinks in columns: our rows x features matrix is its features x rows.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

constexpr float one = 1;
constexpr float zero = 0;

class Linear final : public Operation {
 public:
  explicit Linear(const OperationContext& context)
      : Operation(context), weights_(parameter(".weights")), bias_(parameter(".bias")) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    lowering().emit(named(".forward"),
                    [this] { run_forward(); },
                    {source_.buffer, weights_.compute, bias_.master, output_.buffer});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner = context().relu ? relu_backward(context(), output_, gradient) : gradient;
    arriving_ = inner.tensor;
    const auto partials = context().shared.partials;
    lowering().grow(partials,
                    static_cast<std::size_t>(partial_floats(output_.shape, 1)) * sizeof(float));
    lowering().emit(
        named(".backward_weights"),
        [this] { run_backward_weights(); },
        {source_.buffer, arriving_.buffer, weights_.gradient, bias_.gradient, partials});
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    result_ = lowering().tensor(source_.shape, type());
    lowering().emit(named(".backward_data"),
                    [this] { run_backward_data(); },
                    {arriving_.buffer, weights_.compute, result_.buffer});
    return {{result_}};
  }

 private:
  [[nodiscard]] int items() const { return static_cast<int>(source_.shape.n); }
  [[nodiscard]] int features() const {
    return static_cast<int>(source_.shape.elements() / source_.shape.n);
  }
  [[nodiscard]] int outputs() const { return static_cast<int>(layer().out.c); }

  struct Matrix {
    cublasOperation_t operation;
    const void* data;
    int leading;
  };

  // c (m x n) = op(a) (m x k) x op(b) (k x n), all by columns.
  void multiply(const Matrix& a, const Matrix& b, void* c, int m, int n, int k) {
    check(cublasGemmEx(device().cublas(),
                       a.operation,
                       b.operation,
                       m,
                       n,
                       k,
                       &one,
                       a.data,
                       device().blas_type(),
                       a.leading,
                       b.data,
                       device().blas_type(),
                       b.leading,
                       &zero,
                       c,
                       device().blas_type(),
                       m,
                       device().blas_compute(),
                       CUBLAS_GEMM_DEFAULT));
  }

  // y = x W^T: by columns, y (outputs x items) = W^T x, with W stored features x outputs.
  void run_forward() {
    auto* const y = lowering().address(output_);
    multiply({CUBLAS_OP_T, lowering().address(weights_.compute), features()},
             {CUBLAS_OP_N, lowering().address(source_), features()},
             y,
             outputs(),
             items(),
             features());
    launch_bias(lowering().address_as<float>(bias_.master),
                y,
                type(),
                output_.shape,
                context().relu,
                stream());
    check_launch();
  }

  // dW = dy^T x: by columns, dW (features x outputs) = x dy^T.
  void run_backward_weights() {
    multiply({CUBLAS_OP_N, lowering().address(source_), features()},
             {CUBLAS_OP_T, lowering().address(arriving_), outputs()},
             lowering().address(weights_.gradient),
             features(),
             outputs(),
             items());
    launch_bias_gradient(lowering().address(arriving_),
                         lowering().address_as<float>(bias_.gradient),
                         lowering().address_as<float>(context().shared.partials),
                         type(),
                         output_.shape,
                         stream());
    check_launch();
  }

  // dx = dy W: by columns, dx (features x items) = W dy.
  void run_backward_data() {
    multiply({CUBLAS_OP_N, lowering().address(weights_.compute), features()},
             {CUBLAS_OP_N, lowering().address(arriving_), outputs()},
             lowering().address(result_),
             features(),
             items(),
             outputs());
  }

  const Parameter& weights_;
  const Parameter& bias_;
  Tensor source_, output_, arriving_, result_;
};

}  // namespace

std::unique_ptr<Operation> make_linear(const OperationContext& context) {
  return std::make_unique<Linear>(context);
}

}  // namespace rightsize::gpu
