// The GPU engine with its insides open: the seam for tests. Users take make_gpu_engine
// (plugin_loader.h). The plugin is a black box behind plugin_abi.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/plugin_library.h"
#include "kernels/gpu/plugin_loader.h"

namespace rightsize::gpu {

class GpuEngine final : public Engine {
 public:
  GpuEngine(const Network& network, const EngineOptions& options, const GpuOptions& gpu);
  ~GpuEngine() override;

  StepResult step(const Batch& batch) override;
  void load_parameters(std::span<const ParameterValues> parameters) override;
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] std::map<std::string, std::string> software() const override;

  // Forward (and backward when training) without an update, so that it can be repeated exactly.
  StepResult evaluate(const Batch& batch);
  // FP16 only: the last step's gradients were not finite and it changed nothing.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

  // Names, shapes and order as in the CPU engine: dense row-major FP32.
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] std::vector<float> parameter(std::string_view name) const;
  void set_parameter(std::string_view name, std::span<const float> values);
  [[nodiscard]] std::vector<float> gradient(std::string_view name) const;
  [[nodiscard]] std::vector<float> output(std::string_view layer) const;

 private:
  StepResult run(abi::Run run, const Batch& batch);
  void check(const Batch& batch) const;
  void check_ids(std::span<const std::int32_t> ids, std::int64_t count, const char* what) const;
  void check_pictures(const Pictures& given) const;
  void check(abi::Status status, const char* doing) const;
  [[nodiscard]] std::vector<float> read(abi::Values kind, std::string_view name) const;

  PluginLibrary library_;
  std::string network_;
  std::int64_t items_;
  Phase phase_;
  bool reads_tokens_;
  std::int64_t input_elements_;  // of an item: values or ids
  std::int64_t label_count_;     // of the batch
  std::int64_t vocabulary_;
  std::size_t most_pixels_;  // bytes of a batch of pictures; 0: the engine takes images
  int classes_;
  bool overflowed_ = false;
  RightsizeGpuEngine* engine_ = nullptr;
};

}  // namespace rightsize::gpu
