#include "kernels/cpu/channel_blocks.h"

#include <array>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;
using tag = memory::format_tag;

constexpr std::array layouts{tag::nhwc, tag::nChw16c, tag::nChw8c};

// Of which `desc` has one, or tag::undef.
tag layout_of(const memory::desc& desc) {
  const auto has = [&](tag layout) {
    return desc == memory::desc(dims_of(desc), type_of(desc), layout);
  };
  const auto* const found = std::find_if(layouts.begin(), layouts.end(), has);
  return found == layouts.end() ? tag::undef : *found;
}

}  // namespace

Tensor in_channel_blocks(Lowering& lowering, const Tensor& tensor) {
  const auto image = dims_of(tensor.desc()).size() == 4 ? tensor : with_rank(lowering, tensor, 4);
  auto desc = with_type(image.desc(), lowering.type());
  if (layout_of(desc) == tag::undef) {
    desc = {dims_of(desc), type_of(desc), tag::nhwc};
  }
  if (image.buffer >= 0) {
    return lowering.reordered(image, desc);
  }
  const auto result = lowering.buffer(desc);  // the caller's images have no planned buffer
  lowering.copy(image, result);
  return result;
}

ChannelBlocks channel_blocks(const memory::desc& desc) {
  const auto dims = dims_of(desc);
  const auto layout = layout_of(desc);
  const std::int64_t block = layout == tag::nChw16c ? 16 : layout == tag::nChw8c ? 8 : dims[1];
  return {dims[0], (dims[1] + block - 1) / block, block, dims[2], dims[3]};
}

memory::desc laid_out_like(const memory::desc& desc, const memory::dims& dims) {
  return {dims, type_of(desc), layout_of(desc)};
}

memory::desc channel_vectors(const memory::desc& desc) {
  const auto dims = dims_of(desc);
  return {{dims[0], dims[1], 1, 1}, memory::data_type::f32, layout_of(desc)};
}

}  // namespace rightsize::cpu
