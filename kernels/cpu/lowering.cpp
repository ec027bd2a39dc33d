#include "kernels/cpu/lowering.h"

#include <algorithm>

#include "kernels/engine.h"

namespace rightsize::cpu {
namespace {

// dnnl::primitive::execute builds a vector at each call; this one builds it once.
std::function<void()> prebuilt(const dnnl::primitive& primitive,
                               const dnnl::stream& stream,
                               const Arguments& arguments) {
  std::vector<dnnl_exec_arg_t> raw;
  for (const auto& [argument, tensor] : arguments) {
    raw.push_back({argument, tensor.memory.get()});
  }
  return [primitive, stream, raw = std::move(raw)] {
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(
            primitive.get(), stream.get(), static_cast<int>(raw.size()), raw.data()),
        "could not execute a primitive");
  };
}

}  // namespace

void append_relu(dnnl::post_ops& post_ops, bool relu6) {
  if (relu6) {
    append_element_wise(post_ops, dnnl::algorithm::eltwise_clip_v2, 0.0F, 6.0F);
  } else {
    append_element_wise(post_ops, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
  }
}

Lowering::Lowering(dnnl::engine engine,
                   dnnl::stream stream,
                   Phase phase,
                   dnnl::memory::data_type type)
    : engine_(std::move(engine)), stream_(std::move(stream)), phase_(phase), type_(type) {}

dnnl::primitive_attr Lowering::attributes() const {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::primitive_attr Lowering::attributes_with_relu(bool relu6) const {
  dnnl::post_ops relu;
  append_relu(relu, relu6);
  auto result = attributes();
  result.set_post_ops(relu);
  return result;
}

Tensor Lowering::buffer(const dnnl::memory::desc& desc) {
  const Tensor tensor{dnnl::memory(desc, engine_, DNNL_MEMORY_NONE),
                      static_cast<int>(lifetimes_.size())};
  tensors_.push_back(tensor);
  lifetimes_.push_back({desc.get_size(), 0, -1});
  kept_.push_back(false);
  return tensor;
}

Tensor Lowering::view(const Tensor& tensor, const dnnl::memory::desc& desc) {
  if (tensor.buffer < 0 || tensor.desc().get_size() != desc.get_size()) {
    throw EngineError("cpu engine: a view of memory that is not planned, or of another size");
  }
  tensors_.push_back({dnnl::memory(desc, engine_, DNNL_MEMORY_NONE), tensor.buffer});
  return tensors_.back();
}

Tensor Lowering::part(const Tensor& tensor, const dnnl::memory::desc& desc) {
  if (tensor.buffer < 0 || desc.get_size() > tensor.desc().get_size()) {
    throw EngineError("cpu engine: a part of memory that is not planned, or larger than it");
  }
  tensors_.push_back({dnnl::memory(desc, engine_, DNNL_MEMORY_NONE), tensor.buffer});
  return tensors_.back();
}

Tensor Lowering::outside(const dnnl::memory::desc& desc) {
  return {dnnl::memory(desc, engine_, DNNL_MEMORY_NONE), -1};
}

void Lowering::keep(const Tensor& tensor) {
  kept_.at(static_cast<std::size_t>(tensor.buffer)) = true;
}

Tensor Lowering::reordered(const Tensor& tensor, const dnnl::memory::desc& desc) {
  if (tensor.desc() == desc) {
    return tensor;
  }
  const auto result = buffer(desc);
  copy(tensor, result);
  return result;
}

void Lowering::copy(const Tensor& from, const Tensor& to) {
  const dnnl::reorder::primitive_desc reorder(
      engine_, from.desc(), engine_, to.desc(), attributes());
  emit("reorder",
       dnnl::reorder(reorder),
       reorder.scratchpad_desc(),
       {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

void Lowering::emit(std::string name,
                    const dnnl::primitive& primitive,
                    const dnnl::memory::desc& scratchpad,
                    Arguments arguments) {
  if (scratchpad.get_size() > 0) {
    arguments.emplace_back(DNNL_ARG_SCRATCHPAD, buffer(scratchpad));
  }
  std::vector<Tensor> touched;
  for (const auto& [argument, tensor] : arguments) {
    touched.push_back(tensor);
  }
  emit(std::move(name), prebuilt(primitive, stream_, arguments), touched);
}

void Lowering::emit(std::string name,
                    std::function<void()> run,
                    const std::vector<Tensor>& touched) {
  for (const auto& tensor : touched) {
    touch(tensor);
  }
  program_.push_back({std::move(name), std::move(run)});
  ++time_;
}

void Lowering::touch(const Tensor& tensor) {
  if (tensor.buffer < 0) {
    return;
  }
  auto& lifetime = lifetimes_.at(static_cast<std::size_t>(tensor.buffer));
  if (lifetime.last < lifetime.first) {
    lifetime.first = time_;
  }
  lifetime.last = time_;
}

void Lowering::begin_loop() {
  loop_begins_ = program_.size();
  loops_.push_back({time_, time_});
}

void Lowering::end_loop(std::int64_t times) {
  loops_.back().last = time_ - 1;
  const Program round(program_.begin() + static_cast<std::ptrdiff_t>(loop_begins_), program_.end());
  for (std::int64_t i = 1; i < times; ++i) {
    program_.insert(program_.end(), round.begin(), round.end());
  }
}

std::unique_ptr<Arena> Lowering::bind() {
  for (auto& lifetime : lifetimes_) {
    for (const auto& loop : loops_) {
      const bool enters = lifetime.first < loop.first && lifetime.last >= loop.first;
      lifetime.last = enters ? std::max(lifetime.last, loop.last) : lifetime.last;
    }
  }
  for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
    if (kept_[i]) {
      lifetimes_[i].first = 0;
      lifetimes_[i].last = time_;
    }
  }
  const auto plan = plan_memory(lifetimes_);
  auto arena = std::make_unique<Arena>(plan.bytes);
  for (auto& tensor : tensors_) {
    const auto buffer = static_cast<std::size_t>(tensor.buffer);
    tensor.memory.set_data_handle(arena->data() + plan.offsets[buffer]);
  }
  return arena;
}

}  // namespace rightsize::cpu
