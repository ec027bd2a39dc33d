#include "kernels/cpu/parameters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/cpu/optimizer.h"
#include "kernels/cpu/random.h"
#include "kernels/engine.h"

namespace rightsize::cpu {
namespace {

float starting_value(const Start& start, std::uint64_t key, std::uint64_t i) {
  if (start.ids_below > 0) {
    const double share = static_cast<double>(uniform(key, i));
    return static_cast<float>(std::floor(share * static_cast<double>(start.ids_below)));
  }
  const float noise = start.deviation > 0 ? normal(key, i) : 0.0F;
  return start.constant + start.deviation * noise;
}

std::vector<float> starting_values(const Parameter& parameter, std::uint64_t key) {
  std::vector<float> values(plain(parameter.dims).get_size() / sizeof(float));
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] =
        starting_value(parameter.start, key, static_cast<std::uint64_t>(i));
  }
  return values;
}

}  // namespace

Parameter Parameters::add(Lowering& lowering,
                          std::string name,
                          const dnnl::memory::desc& desc,
                          Start start,
                          bool decays) {
  Parameter parameter{std::move(name), dims_of(desc), start, decays, {}, {}, {}, {}};
  if (lowering.training()) {
    const auto master = with_type(desc, dnnl::memory::data_type::f32);
    parameter.value = lowering.buffer(master);
    if (has_backward(lowering.phase())) {
      parameter.gradient = lowering.buffer(master);
    }
    if (lowering.phase() == Phase::train) {
      parameter.momentum = lowering.buffer(master);
      lowering.keep(parameter.momentum);
      if (optimizer_ == Optimizer::adam) {
        parameter.second_moment = lowering.buffer(master);
        lowering.keep(parameter.second_moment);
      }
    }
  } else {
    parameter.value = lowering.buffer(desc);
  }
  lowering.keep(parameter.value);
  parameters_.push_back(parameter);
  return parameter;
}

Parameter Parameters::add_table(Lowering& lowering,
                                std::string name,
                                const dnnl::memory::desc& desc,
                                Start start) {
  const auto type = lowering.training() ? dnnl::memory::data_type::f32 : type_of(desc);
  return add_state(lowering, std::move(name), with_type(desc, type), start);
}

Parameter Parameters::add_statistic(Lowering& lowering,
                                    std::string name,
                                    std::int64_t count,
                                    float start) {
  return add_state(lowering, std::move(name), plain({count}), {start, 0});
}

Parameter Parameters::add_state(Lowering& lowering,
                                std::string name,
                                const dnnl::memory::desc& desc,
                                Start start) {
  Parameter parameter{std::move(name), dims_of(desc), start, false, {}, {}, {}, {}};
  parameter.value = lowering.buffer(desc);
  lowering.keep(parameter.value);
  parameters_.push_back(parameter);
  return parameter;
}

void Parameters::initialise(dnnl::stream& stream, std::uint64_t seed) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    write(parameters_[i].value, starting_values(parameters_[i], stream_key(seed, i)), stream);
  }
}

bool Parameters::starts_gradient(std::string_view name) {
  if (std::find(started_.begin(), started_.end(), name) != started_.end()) {
    return false;
  }
  started_.emplace_back(name);
  return true;
}

void Parameters::emit_update(Lowering& lowering,
                             const UpdateOptions& options,
                             const std::uint64_t& step) {
  std::vector<Parameter> learned;
  std::vector<Tensor> touched;
  for (const auto& parameter : parameters_) {
    if (parameter.gradient) {
      learned.push_back(parameter);
      touched.insert(touched.end(), {parameter.value, parameter.gradient, parameter.momentum});
    }
  }
  if (optimizer_ == Optimizer::adam) {
    lowering.emit(
        "adam.update", [=, &step] { adam(learned, options, step + 1); }, touched);
  } else {
    lowering.emit(
        "sgd.update", [=] { sgd(learned, options); }, touched);
  }
}

void Parameters::hold_gradients(Lowering& lowering) const {
  std::vector<Tensor> held;
  for (const auto& parameter : parameters_) {
    if (parameter.gradient) {
      held.push_back(parameter.gradient);
    }
  }
  lowering.emit(
      "gradients", [] {}, held);
}

const Parameter& Parameters::find(std::string_view name) const {
  const auto found = std::find_if(
      parameters_.begin(), parameters_.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters_.end()) {
    throw EngineError(fmt::format("cpu engine: no parameter \"{}\" in this network", name));
  }
  return *found;
}

std::vector<float> read(const Tensor& tensor, dnnl::stream& stream) {
  const auto desc = plain(dims_of(tensor.desc()));
  std::vector<float> values(desc.get_size() / sizeof(float));
  dnnl::memory target(desc, tensor.memory.get_engine(), values.data());
  auto source = tensor.memory;
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
  return values;
}

void write(const Tensor& tensor, std::span<const float> values, dnnl::stream& stream) {
  const auto desc = plain(dims_of(tensor.desc()));
  if (values.size_bytes() != desc.get_size()) {
    throw EngineError(fmt::format("cpu engine: {} values for a parameter of {}",
                                  values.size(),
                                  desc.get_size() / sizeof(float)));
  }
  dnnl::memory source(desc, tensor.memory.get_engine(), const_cast<float*>(values.data()));
  auto target = tensor.memory;
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
}

dnnl::memory::desc plain(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * dims[i];
  }
  return {dims, dnnl::memory::data_type::f32, strides};
}

}  // namespace rightsize::cpu
