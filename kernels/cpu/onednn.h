// oneDNN 2 (Debian 12) and oneDNN 3 (Debian 13, Ubuntu 24.04) under one set of names. Version 2
// describes an operation and then asks for an implementation of the description; version 3 does
// both at once, tells results apart from sources where they were one, and hides what a memory
// descriptor is made of.
#pragma once

#include <cstdint>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

namespace rightsize::cpu {

[[nodiscard]] dnnl::memory::dims dims_of(const dnnl::memory::desc& desc);
[[nodiscard]] dnnl::memory::data_type type_of(const dnnl::memory::desc& desc);

// The same dimensions in another type, and in the same layout as far as the library can say it: of
// version 3 what is blocked in another way than channels by 8 or 16 becomes dense.
[[nodiscard]] dnnl::memory::desc with_type(const dnnl::memory::desc& desc,
                                           dnnl::memory::data_type type);

void append_element_wise(dnnl::post_ops& post_ops,
                         dnnl::algorithm algorithm,
                         float alpha,
                         float beta);

// How and for which engine an operation runs.
struct Running {
  dnnl::primitive_attr attributes;
  dnnl::engine engine;
};

// The implementation of what `parts` describe: those of version 2's Primitive::desc, which are also
// those of version 3 where no function below says otherwise.
template <typename Primitive, typename... Parts>
[[nodiscard]] typename Primitive::primitive_desc implemented(const Running& running,
                                                             const Parts&... parts) {
#if DNNL_VERSION_MAJOR >= 3
  return {running.engine, parts..., running.attributes};
#else
  return {typename Primitive::desc(parts...), running.attributes, running.engine};
#endif
}

// The same of a backward pass, which is told how the forward one runs.
template <typename Primitive, typename Forward, typename... Parts>
[[nodiscard]] typename Primitive::primitive_desc implemented_backward(const Running& running,
                                                                      const Forward& forward,
                                                                      const Parts&... parts) {
#if DNNL_VERSION_MAJOR >= 3
  return {running.engine, parts..., forward, running.attributes};
#else
  return {typename Primitive::desc(parts...), running.attributes, running.engine, forward};
#endif
}

// Of results, and gradients, in the layout of `data`.
[[nodiscard]] dnnl::eltwise_forward::primitive_desc element_wise(const Running& running,
                                                                 dnnl::prop_kind kind,
                                                                 dnnl::algorithm algorithm,
                                                                 const dnnl::memory::desc& data,
                                                                 float alpha,
                                                                 float beta);
[[nodiscard]] dnnl::eltwise_backward::primitive_desc element_wise_backward(
    const Running& running,
    const dnnl::eltwise_forward::primitive_desc& forward,
    dnnl::algorithm algorithm,
    const dnnl::memory::desc& data,
    float alpha,
    float beta);

[[nodiscard]] dnnl::batch_normalization_forward::primitive_desc batch_normalization(
    const Running& running,
    dnnl::prop_kind kind,
    const dnnl::memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags);
[[nodiscard]] dnnl::batch_normalization_backward::primitive_desc batch_normalization_backward(
    const Running& running,
    const dnnl::batch_normalization_forward::primitive_desc& forward,
    const dnnl::memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags);

// Windows of a pooling, without gaps between their positions.
struct Windows {
  dnnl::memory::dims strides, kernel, padding, padding_after;
};
[[nodiscard]] dnnl::pooling_forward::primitive_desc pooling(const Running& running,
                                                            dnnl::prop_kind kind,
                                                            dnnl::algorithm algorithm,
                                                            const dnnl::memory::desc& source,
                                                            const dnnl::memory::desc& result,
                                                            const Windows& windows);
[[nodiscard]] dnnl::pooling_backward::primitive_desc pooling_backward(
    const Running& running,
    const dnnl::pooling_forward::primitive_desc& forward,
    dnnl::algorithm algorithm,
    const dnnl::memory::desc& source,
    const Windows& windows);

// Across channels.
struct ResponseWindow {
  std::int64_t size;
  float alpha, beta, k;
};
[[nodiscard]] dnnl::lrn_forward::primitive_desc response_norm(const Running& running,
                                                              dnnl::prop_kind kind,
                                                              const dnnl::memory::desc& data,
                                                              const ResponseWindow& window);
[[nodiscard]] dnnl::lrn_backward::primitive_desc response_norm_backward(
    const Running& running,
    const dnnl::lrn_forward::primitive_desc& forward,
    const dnnl::memory::desc& data,
    const ResponseWindow& window);

[[nodiscard]] dnnl::shuffle_forward::primitive_desc shuffle(const Running& running,
                                                            const dnnl::memory::desc& data,
                                                            int axis,
                                                            int group_size);
[[nodiscard]] dnnl::shuffle_backward::primitive_desc shuffle_backward(
    const Running& running,
    const dnnl::shuffle_forward::primitive_desc& forward,
    const dnnl::memory::desc& data,
    int axis,
    int group_size);

[[nodiscard]] dnnl::concat::primitive_desc concatenation(
    const Running& running, int axis, const std::vector<dnnl::memory::desc>& sources);

}  // namespace rightsize::cpu
