// Puts one learned position in front of every sequence (Devlin et al., 2019; Dosovitskiy et al.,
// ICLR 2021).
#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

struct Sizes {
  std::int64_t items = 0;
  std::size_t token = 0;  // bytes of one position
  std::size_t rest = 0;   // bytes of an item's own positions
};

void put_in_front(const std::byte* token, const std::byte* in, std::byte* out, const Sizes& sizes) {
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < sizes.items; ++n) {
    const auto item = static_cast<std::size_t>(n);
    std::byte* const to = out + item * (sizes.token + sizes.rest);
    std::memcpy(to, token, sizes.token);
    std::memcpy(to + sizes.token, in + item * sizes.rest, sizes.rest);
  }
}

// The rest goes back to the sequence, the first positions add up to the token's gradient.
void take_apart(const float* gradient, float* token, float* rest, const SequenceShape& out) {
  const auto width = out.features;
  const auto rest_size = (out.positions - 1) * width;
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < out.items; ++n) {
    std::memcpy(rest + n * rest_size,
                gradient + (n * out.positions + 1) * width,
                static_cast<std::size_t>(rest_size) * sizeof(float));
  }
  std::memcpy(token, gradient, static_cast<std::size_t>(width) * sizeof(float));
  for (std::int64_t n = 1; n < out.items; ++n) {
    for (std::int64_t c = 0; c < width; ++c) {
      token[c] += gradient[n * out.positions * width + c];
    }
  }
}

class ClassToken final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto type = lowering().type();
    out_ = sequence_shape(layer().out, context().items);
    in_ = {out_.items, out_.positions - 1, out_.features};
    const auto source = as_sequence(lowering(), inputs[0], in_);
    token_ = context().parameters.add(lowering(),
                                      named(".weights"),
                                      with_type(plain({out_.features}), type),
                                      {0, starting_deviation},
                                      true);
    const auto output = lowering().buffer(sequence_desc(out_, type));
    const auto token_bytes = output.desc().get_size() / static_cast<std::size_t>(out_.rows());
    const Sizes sizes{
        out_.items, token_bytes, token_bytes * static_cast<std::size_t>(in_.positions)};
    lowering().emit(named(".forward"),
                    [token = token_.value, source, output, sizes] {
                      put_in_front(elements<std::byte>(token),
                                   elements<std::byte>(source),
                                   elements<std::byte>(output),
                                   sizes);
                    },
                    {token_.value, source, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, out_);
    const auto result = lowering().buffer(sequence_desc(in_, lowering().type()));
    lowering().emit(named(".backward"),
                    [arriving, token = token_.gradient, result, out = out_] {
                      take_apart(arriving.data(), token.data(), result.data(), out);
                    },
                    {arriving, token_.gradient, result});
    return {{result}};
  }

 private:
  SequenceShape in_, out_;
  Parameter token_;
};

}  // namespace

std::unique_ptr<Operation> make_class_token(const OperationContext& context) {
  return std::make_unique<ClassToken>(context);
}

}  // namespace rightsize::cpu
