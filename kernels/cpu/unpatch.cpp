// A sequence of patches as an image again. Of a patch's features the channels of its first position
// come first, those of the position right of it next, as diffusers' SD3Transformer2DModel has them.
#include <cmath>
#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

struct Patches {
  std::int64_t rows = 0;     // of patches, in all items
  std::int64_t columns = 0;  // patches beside one another
  std::int64_t side = 0;     // positions of a patch, either way
  std::int64_t run = 0;      // bytes of a patch in one row of the image
};

class Unpatch final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& out = layer().out;
    const auto& from = context().network.layers.at(static_cast<std::size_t>(layer().inputs[0]));
    const auto type = lowering().type();
    const auto side = std::lround(std::sqrt(static_cast<double>(from.out.c / out.c)));
    const auto value = static_cast<std::int64_t>(dnnl::memory::data_type_size(type));
    patches_ = {context().items * out.h / side, out.w / side, side, side * out.c * value};
    sequence_ = sequence_shape(from.out, context().items);
    image_ = {{context().items, out.c, out.h, out.w}, type, dnnl::memory::format_tag::nhwc};
    const auto source = as_sequence(lowering(), inputs[0], sequence_);
    const auto output = lowering().buffer(image_);
    lowering().emit(named(".forward"),
                    [source, output, patches = patches_] {
                      for_each_run(patches, [&](auto in_sequence, auto in_image, auto bytes) {
                        std::memcpy(elements<std::byte>(output) + in_image,
                                    elements<std::byte>(source) + in_sequence,
                                    bytes);
                      });
                    },
                    {source, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, image_);
    const auto result = lowering().buffer(sequence_desc(sequence_, lowering().type()));
    lowering().emit(named(".backward"),
                    [arriving, result, patches = patches_] {
                      for_each_run(patches, [&](auto in_sequence, auto in_image, auto bytes) {
                        std::memcpy(elements<std::byte>(result) + in_sequence,
                                    elements<std::byte>(arriving) + in_image,
                                    bytes);
                      });
                    },
                    {arriving, result});
    return {{result}};
  }

 private:
  // visit(byte in the sequences, byte in the images, bytes)
  template <typename Visit>
  static void for_each_run(const Patches& p, Visit visit) {
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < p.rows; ++row) {
      for (std::int64_t y = 0; y < p.side; ++y) {
        for (std::int64_t column = 0; column < p.columns; ++column) {
          visit(((row * p.columns + column) * p.side + y) * p.run,
                ((row * p.side + y) * p.columns + column) * p.run,
                static_cast<std::size_t>(p.run));
        }
      }
    }
  }

  Patches patches_;
  SequenceShape sequence_;
  dnnl::memory::desc image_;
};

}  // namespace

std::unique_ptr<Operation> make_unpatch(const OperationContext& context) {
  return std::make_unique<Unpatch>(context);
}

}  // namespace rightsize::cpu
