#include "kernels/gpu/backend.h"

namespace rightsize::gpu {
namespace {

constexpr std::int64_t asked_engines = 8;

BackendDescriptor graph_of(const Device& device, const BackendDescriptor& operation) {
  BackendDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  auto* const handle = device.cudnn();
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  graph.finalise();
  return graph;
}

// Most promising first.
std::vector<BackendDescriptor> engines_for(const BackendDescriptor& graph) {
  BackendDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  const auto mode = CUDNN_HEUR_MODE_A;
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  heuristics.finalise();
  std::vector<BackendDescriptor> engines;
  std::vector<cudnnBackendDescriptor_t> places;
  for (std::int64_t i = 0; i < asked_engines; ++i) {
    engines.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    places.push_back(engines.back().get());
  }
  std::int64_t found = 0;
  check(cudnnBackendGetAttribute(heuristics.get(),
                                 CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 asked_engines,
                                 &found,
                                 places.data()));
  engines.erase(engines.begin() + found, engines.end());
  return engines;
}

BackendDescriptor describe(const BackendTensor& tensor) {
  BackendDescriptor result(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const std::int64_t alignment = 16;
  result.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &tensor.id);
  result.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &tensor.type);
  result.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
  result.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, tensor.sizes);
  result.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, tensor.strides);
  result.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &tensor.by_value);
  result.finalise();
  return result;
}

}  // namespace

BackendDescriptor::BackendDescriptor(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t made = nullptr;
  check(cudnnBackendCreateDescriptor(type, &made));
  descriptor_.reset(made);
}

void BackendDescriptor::set(cudnnBackendAttributeName_t name,
                            cudnnBackendAttributeType_t type,
                            std::int64_t count,
                            const void* values) {
  check(cudnnBackendSetAttribute(descriptor_.get(), name, type, count, values));
}

void BackendDescriptor::set(cudnnBackendAttributeName_t name, const BackendDescriptor& other) {
  auto* const descriptor = other.get();
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &descriptor);
}

void BackendDescriptor::finalise() {
  check(cudnnBackendFinalize(descriptor_.get()));
}

void BackendOperation::set(cudnnBackendAttributeName_t name, const BackendTensor& tensor) {
  tensors_.push_back(describe(tensor));
  descriptor_.set(name, tensors_.back());
}

BackendPlan::BackendPlan(const Device& device, BackendOperation operation)
    : device_(device),
      operation_(std::move(operation)),
      graph_(graph_of(device, operation_.descriptor())),
      engines_(engines_for(graph_)),
      plan_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
  choose_engine();
  std::int64_t bytes = 0;
  std::int64_t found = 0;
  check(cudnnBackendGetAttribute(
      plan_.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &found, &bytes));
  workspace_bytes_ = static_cast<std::size_t>(bytes);
}

// The first that can be made ready.
void BackendPlan::choose_engine() {
  auto* const handle = device_.cudnn();
  for (const auto& engine : engines_) {
    BackendDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine);
    if (cudnnBackendFinalize(plan.get()) == CUDNN_STATUS_SUCCESS) {
      plan_ = std::move(plan);
      return;
    }
  }
  throw GpuError(abi::Status::unsupported, "cuDNN has no engine for this operation");
}

void BackendPlan::run(std::span<const std::pair<std::int64_t, const void*>> tensors,
                      void* workspace) const {
  std::vector<std::int64_t> ids;
  std::vector<const void*> addresses;
  for (const auto& [id, address] : tensors) {
    ids.push_back(id);
    addresses.push_back(address);
  }
  const auto count = static_cast<std::int64_t>(ids.size());
  BackendDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids.data());
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, addresses.data());
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  pack.finalise();
  check(cudnnBackendExecute(device_.cudnn(), plan_.get(), pack.get()));
}

}  // namespace rightsize::gpu
