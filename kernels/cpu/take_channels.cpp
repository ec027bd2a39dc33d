// Neighbouring channels of an image, copied out so that the kernels behind find dense memory; the
// others get no gradient.
#include <array>
#include <cstring>

#include "kernels/cpu/channels.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;

// `dims` in the layout that `like` has, where it is one of images; else with channels innermost.
memory::desc laid_out_like(const memory::desc& like, const memory::dims& dims) {
  using tag = memory::format_tag;
  const auto type = type_of(like);
  if (dims.size() != 4) {
    return with_type(plain(dims), type);
  }
  for (const auto layout : {tag::nchw, tag::nChw8c, tag::nChw16c}) {
    if (like == memory::desc(dims_of(like), type, layout)) {
      return {dims, type, layout};
    }
  }
  return {dims, type, tag::nhwc};
}

class TakeChannels final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    whole_ = with_type(inputs[0].desc(), lowering().type());
    auto dims = dims_of(whole_);
    start_.assign(dims.size(), 0);
    start_[channel_axis] = layer().first_channel;
    dims[channel_axis] = layer().out.c;
    if (!can_slice(whole_, dims, start_)) {
      whole_ = with_type(plain(dims_of(whole_)), lowering().type());
    }
    auto source = lowering().reordered(inputs[0], whole_);
    if (source.buffer < 0) {  // the caller's images have no planned buffer to take a part of
      source = lowering().buffer(whole_);
      lowering().copy(inputs[0], source);
    }
    taken_ = laid_out_like(whole_, dims);
    const auto output = lowering().buffer(taken_);
    lowering().copy(lowering().part(source, slice()), output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    const auto arriving = lowering().reordered(gradient.tensor, taken_);
    const auto result = lowering().buffer(whole_);
    lowering().emit(named(".backward_zero"),
                    [result] { std::memset(result.data(), 0, result.desc().get_size()); },
                    {result});
    lowering().copy(arriving, lowering().part(result, slice()));
    return {{result}};
  }

 private:
  [[nodiscard]] memory::desc slice() const {
    return whole_.submemory_desc(dims_of(taken_), start_);
  }

  memory::desc whole_, taken_;
  memory::dims start_;
};

}  // namespace

std::unique_ptr<Operation> make_take_channels(const OperationContext& context) {
  return std::make_unique<TakeChannels>(context);
}

}  // namespace rightsize::cpu
