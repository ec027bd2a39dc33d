#include "kernels/cpu/guidance.h"

#include "kernels/cpu/channel_blocks.h"
#include "kernels/cpu/element.h"

namespace rightsize::cpu {
namespace {

template <typename Element>
void guide(const Element* without, const Element* with, std::int64_t count, Element* out) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto start = static_cast<float>(without[i]);
    store(start + guidance_scale * (static_cast<float>(with[i]) - start), out[i]);
  }
}

}  // namespace

// Items are outermost in each of the layouts, so that a half is one piece.
Tensor emit_guidance(Lowering& lowering, std::string name, const Tensor& both) {
  const auto source = in_channel_blocks(lowering, both);
  auto dims = dims_of(source.desc());
  dims[0] /= 2;
  const auto result = lowering.buffer(laid_out_like(source.desc(), dims));
  with_element(lowering.type(), [&](auto zero) {
    using Element = decltype(zero);
    const auto count = static_cast<std::int64_t>(result.desc().get_size() / sizeof(Element));
    lowering.emit(std::move(name),
                  [source, result, count] {
                    const auto* const without = elements<Element>(source);
                    guide(without, without + count, count, elements<Element>(result));
                  },
                  {source, result});
  });
  return result;
}

}  // namespace rightsize::cpu
