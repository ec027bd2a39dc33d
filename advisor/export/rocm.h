// AMD's GPUs, where clusters and images know them by other names than NVIDIA's.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// The resource that Kubernetes' device plugins count, "amd.com/gpu", also the key of the taint that
// keeps other Pods away, and the label by which nodes tell which GPU they have
// (github.com/ROCm/k8s-device-plugin, README, "Labeller").
[[nodiscard]] std::string_view gpu_resource(std::string_view gpu);
[[nodiscard]] std::string_view gpu_product_label(std::string_view gpu);

// `cuda`, or on AMD's GPUs `rocm` with "{}" as their family's name in SGLang's images: "mi30x" of
// MI300X and MI325X, "mi35x" of MI350X and MI355X. Empty where there is none for the GPU.
[[nodiscard]] std::string image_for(std::string_view gpu,
                                    std::string_view cuda,
                                    std::string_view rocm);

}  // namespace rightsize
