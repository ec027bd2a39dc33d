// The CPU behind a name, and what is said of a network's rate there when it was never measured.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/cpu_anchor.h"
#include "models/laws/cpu_kind.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_step.h"
#include "models/model.h"
#include "pricing/offer.h"

namespace rightsize {

// `words`: an EC2 type ("c5.18xlarge") or what people call CPUs; the usual CPU of the years where
// they say nothing.
[[nodiscard]] CpuKind cpu_kind_named(const CpuSpeeds& cpu_speeds,
                                     const std::string& words,
                                     Stack stack);

// Whether a law knows the CPU, of --machine and of price tables alike: by its kind, by its model's
// figure, or as an EC2 type.
[[nodiscard]] bool knows_cpu(const CpuSpeeds& cpu_speeds, const std::string& words);
// What is to be said of a name that no law knows, and what is taken in its place.
[[nodiscard]] std::string unknown_cpu_words(const std::string& words, std::string_view stand_in);

// The words an offer's CPU goes by: those of its price table, where a law knows them, those of its
// cloud's series (models/laws/cloud_cpu.h), or its type.
[[nodiscard]] std::string cpu_words(const CpuSpeeds& cpu_speeds, const Offer& offer);
// What offers share the error of their CPU's speed by: its name, or an EC2 type's family, whose
// sizes are of one CPU. Other types do not say, and share one error.
[[nodiscard]] std::string cpu_family(const CpuSpeeds& cpu_speeds, const Offer& offer);
// How fast its vCPUs are, by the same rule.
[[nodiscard]] CpuSpeed cpu_speed_of(const CpuSpeeds& cpu_speeds,
                                    const Offer& offer,
                                    const MeasuredCpu& measured);

// What a framework's own loader of those years takes of the CPU, against the one that was measured:
// carried from the capacity that cpu_capacity() gives 64 and 256 vCPUs: MXNet's AlexNet on 16 K80
// is bound by 64 vCPUs at 66 pictures/s each (apache/mxnet image-classification README), PyTorch's
// ResNet-50 in half precision on a DGX A100 at 65 (NVIDIA/DeepLearningExamples).
[[nodiscard]] double loader_cost(Stack stack);
// Whether that loader decodes pictures for it, which its cost is of; an LMDB holds raw ones.
[[nodiscard]] bool decodes_pictures(DataFormat data,
                                    const std::string& network,
                                    int sequence,
                                    Phase phase);
// `model` with that cost, for a workload that decodes pictures.
[[nodiscard]] Model with_loader_of(const Model& model, const Workload& workload, Stack stack);

// "CPU Skylake: 2.8 GHz, 64 FP32 operations a cycle and core, scaled by FLOPs and bytes from
// published figures", or from what the networks that were measured here make of their CPU.
[[nodiscard]] std::string cpu_law_words(const CpuKind& cpu,
                                        const CpuAnchor& anchor,
                                        Precision precision);

}  // namespace rightsize
