#include "kernels/gpu/parameters.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/cpu/random.h"
#include "kernels/gpu/layout.h"
#include "kernels/gpu/noise.h"

namespace rightsize::gpu {
namespace {

template <typename Value>
DeviceBuffer uploaded(const Device& device,
                      MemoryBudget& budget,
                      const std::vector<Value>& values) {
  const auto bytes = values.size() * sizeof(Value);
  DeviceBuffer buffer(budget, bytes);
  check(cudaMemcpyAsync(
      buffer.data(), values.data(), bytes, cudaMemcpyHostToDevice, device.stream().get()));
  device.stream().wait();
  return buffer;
}

}  // namespace

void Parameters::add(std::string name, FilterShape shape, Start start, Role role) {
  Parameter parameter{std::move(name), shape, start, role, -1, -1, -1, -1, -1, type_, type_};
  const auto count = static_cast<std::size_t>(shape.elements());
  const auto kept = [&](std::size_t bytes) {
    const int buffer = lowering_.buffer(bytes);
    lowering_.keep(buffer);
    return buffer;
  };
  const bool narrow = type_ != ElementType::f32;
  const bool is_matrix = role == Role::weights || role == Role::table || role == Role::cache;
  const bool reads_compute = is_matrix || role == Role::bias;
  const bool learned = has_backward(phase_) && role != Role::statistic && role != Role::cache;
  if (learned || !is_matrix || !narrow) {
    parameter.master = kept(count * sizeof(float));
  }
  if (reads_compute) {
    parameter.compute = narrow ? kept(count * bytes_of(type_)) : parameter.master;
  }
  if (learned) {
    parameter.gradient_type = role == Role::weights ? type_ : ElementType::f32;
    parameter.gradient = lowering_.buffer(count * bytes_of(parameter.gradient_type));
  }
  if (learned && phase_ == Phase::train) {
    parameter.moment = kept(count * sizeof(float));
    parameter.second_moment = optimizer_ == Optimizer::adam ? kept(count * sizeof(float)) : -1;
  }
  parameters_.push_back(std::move(parameter));
}

bool Parameters::starts_gradient(const Parameter& parameter) {
  if (std::find(started_.begin(), started_.end(), parameter.name) != started_.end()) {
    return false;
  }
  started_.push_back(parameter.name);
  return true;
}

void Parameters::hold_gradients() const {
  std::vector<int> held;
  for (const auto& p : parameters_) {
    held.push_back(p.gradient);
  }
  lowering_.emit(
      "gradients", [] {}, std::move(held));
}

void Parameters::emit_update(const Device& device, const UpdateOptions& options, int state) {
  std::vector<int> touched{state};
  for (const auto& p : parameters_) {
    if (p.gradient >= 0) {
      touched.insert(touched.end(), {p.master, p.compute, p.gradient, p.moment, p.second_moment});
    }
  }
  const bool dynamic_scale = type_ == ElementType::f16;
  lowering_.emit(
      optimizer_ == Optimizer::adam ? "adam.update" : "sgd.update",
      [this, &device, options, state, dynamic_scale] {
        const UpdateTables tables{
            entries_.as<UpdateEntry>(), chunks_.as<UpdateChunk>(), chunk_count_, type_};
        auto* const step = lowering_.address_as<StepState>(state);
        if (dynamic_scale) {
          launch_overflow_check(tables, step, device.stream().get());
        }
        if (options.optimizer == Optimizer::adam) {
          launch_adam(tables, options.adam, step, device.stream().get());
        } else {
          launch_sgd(tables, options.sgd, step, device.stream().get());
        }
        launch_finish_step(step, dynamic_scale, device.stream().get());
        check_launch();
      },
      std::move(touched));
}

void Parameters::bind(const Device& device, MemoryBudget& budget, const UpdateOptions& options) {
  if (phase_ != Phase::train) {
    return;
  }
  std::vector<UpdateEntry> entries;
  std::vector<UpdateChunk> chunks;
  for (const auto& p : parameters_) {
    if (p.gradient < 0) {
      continue;
    }
    const bool copied = p.compute >= 0 && p.compute != p.master;
    entries.push_back(
        {lowering_.address_as<float>(p.master),
         lowering_.address_as<float>(p.moment),
         p.second_moment >= 0 ? lowering_.address_as<float>(p.second_moment) : nullptr,
         lowering_.address(p.gradient),
         copied ? lowering_.address(p.compute) : nullptr,
         p.shape.elements(),
         p.role == Role::weights || p.role == Role::table ? options.decay : 0.0F,
         p.gradient_type == ElementType::f32 ? 0 : 1});
    for (std::int64_t first = 0; first < p.shape.elements(); first += update_chunk) {
      chunks.push_back({static_cast<int>(entries.size()) - 1, first});
    }
  }
  chunk_count_ = static_cast<int>(chunks.size());
  entries_ = uploaded(device, budget, entries);
  chunks_ = uploaded(device, budget, chunks);
}

void Parameters::initialise(const Device& device, std::uint64_t seed) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& p = parameters_[i];
    const auto fill = [&](int buffer, ElementType type) {
      launch_noise(lowering_.address(buffer),
                   type,
                   {p.shape.k, p.shape.c, p.shape.area},
                   p.start.constant,
                   p.start.deviation,
                   cpu::stream_key(seed, i),
                   device.stream().get());
      check_launch();
    };
    if (p.master >= 0) {
      fill(p.master, ElementType::f32);
    }
    if (p.compute >= 0 && p.compute != p.master) {
      fill(p.compute, p.compute_type);
    }
    for (const int moment : {p.moment, p.second_moment}) {
      if (moment >= 0) {
        check(cudaMemsetAsync(lowering_.address(moment),
                              0,
                              static_cast<std::size_t>(p.shape.elements()) * sizeof(float),
                              device.stream().get()));
      }
    }
  }
}

const Parameter& Parameters::find(std::string_view name) const {
  const auto found = std::find_if(
      parameters_.begin(), parameters_.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters_.end()) {
    throw GpuError(abi::Status::invalid, fmt::format("no parameter \"{}\" in this network", name));
  }
  return *found;
}

std::vector<float> Parameters::read(const Device& device,
                                    int buffer,
                                    ElementType type,
                                    const FilterShape& shape) const {
  const auto values = download(device, lowering_.address(buffer), type, shape.elements());
  return to_channels_first(values, shape.k, shape.c, shape.area);
}

std::vector<float> Parameters::value(const Device& device, const Parameter& p) const {
  return p.master >= 0 ? read(device, p.master, ElementType::f32, p.shape)
                       : read(device, p.compute, p.compute_type, p.shape);
}

std::vector<float> Parameters::gradient(const Device& device, const Parameter& p) const {
  return p.gradient >= 0 ? read(device, p.gradient, p.gradient_type, p.shape)
                         : std::vector<float>{};
}

void Parameters::write(const Device& device,
                       const Parameter& p,
                       std::span<const float> values) const {
  if (static_cast<std::int64_t>(values.size()) != p.shape.elements()) {
    throw GpuError(
        abi::Status::invalid,
        fmt::format("{} values for {}, which has {}", values.size(), p.name, p.shape.elements()));
  }
  const auto stream = device.stream().get();
  const auto ordered = to_channels_last(values, p.shape.k, p.shape.c, p.shape.area);
  const auto bytes = ordered.size() * sizeof(float);
  const DeviceBuffer staging(bytes);
  check(cudaMemcpyAsync(staging.data(), ordered.data(), bytes, cudaMemcpyHostToDevice, stream));
  const auto* const source = staging.as<float>();
  if (p.master >= 0) {
    check(cudaMemcpyAsync(
        lowering_.address(p.master), source, bytes, cudaMemcpyDeviceToDevice, stream));
  }
  if (p.compute >= 0 && p.compute != p.master) {
    launch_from_float(
        source, lowering_.address(p.compute), p.compute_type, p.shape.elements(), stream);
    check_launch();
  }
  device.stream().wait();
}

std::vector<float> download(const Device& device,
                            const void* data,
                            ElementType type,
                            std::int64_t count) {
  const auto stream = device.stream().get();
  std::vector<float> values(static_cast<std::size_t>(count));
  const auto bytes = values.size() * sizeof(float);
  const DeviceBuffer wide(bytes);
  launch_to_float(data, wide.as<float>(), type, count, stream);
  check_launch();
  check(cudaMemcpyAsync(values.data(), wide.data(), bytes, cudaMemcpyDeviceToHost, stream));
  device.stream().wait();
  return values;
}

}  // namespace rightsize::gpu
