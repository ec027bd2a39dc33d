#include "models/laws/recurrence_kernels.h"

#include "kernels/recurrence_work.h"

namespace rightsize {
namespace {

double number(std::int64_t value) {
  return static_cast<double>(value);
}

// Of 16 bits each, by what carries the states of chunks from kernel to kernel: Mamba-2's are FP32,
// written, summed up in a kernel of its own and read; the delta rule's and lightning attention's
// are summed up where they are written. Mamba's scan has them in registers.
double carried_elements(const Layer& layer) {
  const auto length = layer.out.positions();
  const double chunks = number(length) / number(chunk_positions(layer, length));
  switch (layer.rule) {
    case StateRule::mamba:
    case StateRule::gated_convolution:
      return 0;
    case StateRule::mamba2:
      return 2 * 4 * chunks * number(layer.state_elements());
    case StateRule::gated_delta:
    case StateRule::channel_delta:
    case StateRule::lightning:
      return 2 * chunks * number(layer.state_elements());
  }
  return 0;
}

// Products as attention's are whose scores never leave the chip, of which a mask leaves half; what
// Mamba scans has no products.
GpuKernel chunked_kernel(const Layer& layer, const LayerWork& work, double tensor) {
  GpuKernel kernel;
  kernel.dense = layer.rule != StateRule::mamba;
  kernel.fused = true;
  kernel.groups = number(layer.heads) / tensor;
  kernel.rows = number(layer.out.positions());
  kernel.columns = number(layer.head_dim);
  kernel.inner = number(layer.state_dim);
  kernel.flops_per_item = work.forward_flops / tensor;
  kernel.elements_per_item =
      (number(layer.convolved() * layer.out.positions() + layer.out.elements()) +
       carried_elements(layer)) /
      tensor;
  return kernel;
}

void add_chunked(const Layer& layer,
                 const LayerWork& work,
                 double tensor,
                 GatheredKernels& kernels) {
  auto kernel = chunked_kernel(layer, work, tensor);
  kernels.add(kernel);
  if (kernels.learns()) {
    kernel.flops_per_item *= 2;
    kernel.elements_per_item *= 2;
    kernels.add(kernel);
  }
}

}  // namespace

void add_recurrence(const Layer& layer,
                    const LayerWork& work,
                    double tensor,
                    GatheredKernels& kernels) {
  if (layer.rule != StateRule::gated_convolution) {
    add_chunked(layer, work, tensor, kernels);
  }
  const double convolved = number(layer.convolved() * layer.out.positions()) / tensor;
  kernels.both_ways(2 * convolved, 4 * convolved);
  const double out = number(layer.out.elements()) / tensor;
  kernels.both_ways(3 * out, 5 * out);
  kernels.update(static_cast<double>(work.parameters));
}

}  // namespace rightsize
