#include "advisor/export/rocm.h"

#include "models/laws/gpu_name.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// Empty of those before MI300X.
std::string_view family_of(std::string_view gpu) {
  const auto name = canonical_gpu_name(gpu);
  return name == "MI300X" || name == "MI325X"   ? "mi30x"
         : name == "MI350X" || name == "MI355X" ? "mi35x"
                                                : "";
}

}  // namespace

std::string_view gpu_resource(std::string_view gpu) {
  switch (toolchain_of_any(gpu)) {
    case Toolchain::neuron:
      return "aws.amazon.com/neuron";
    case Toolchain::xla:
      return "google.com/tpu";
    case Toolchain::rocm:
      return "amd.com/gpu";
    case Toolchain::cuda:
      break;
  }
  return "nvidia.com/gpu";
}

std::string_view gpu_product_label(std::string_view gpu) {
  switch (toolchain_of_any(gpu)) {
    case Toolchain::neuron:
    case Toolchain::xla:
      return "node.kubernetes.io/instance-type";
    case Toolchain::rocm:
      return "amd.com/gpu.product-name";
    case Toolchain::cuda:
      break;
  }
  return "nvidia.com/gpu.product";
}

std::string image_for(std::string_view gpu, std::string_view cuda, std::string_view rocm) {
  if (runs_compiled_whole(gpu)) {
    return "";
  }
  std::string image(runs_rocm(gpu) ? rocm : cuda);
  if (const auto at = image.find("{}"); at != std::string::npos) {
    const auto family = family_of(gpu);
    return family.empty() ? "" : image.replace(at, 2, family);
  }
  return image;
}

}  // namespace rightsize
