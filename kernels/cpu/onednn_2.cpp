// onednn.h by version 2 of the library.
#include "kernels/cpu/onednn.h"

#if DNNL_VERSION_MAJOR < 3

namespace rightsize::cpu {

using dnnl::algorithm;
using dnnl::memory;

memory::dims dims_of(const memory::desc& desc) {
  return desc.dims();
}

memory::data_type type_of(const memory::desc& desc) {
  return desc.data_type();
}

memory::desc with_type(const memory::desc& desc, memory::data_type type) {
  auto result = desc;
  result.data.data_type = memory::convert_to_c(type);
  return result;
}

void append_element_wise(dnnl::post_ops& post_ops, algorithm algorithm, float alpha, float beta) {
  post_ops.append_eltwise(1, algorithm, alpha, beta);
}

dnnl::eltwise_forward::primitive_desc element_wise(const Running& running,
                                                   dnnl::prop_kind kind,
                                                   algorithm algorithm,
                                                   const memory::desc& data,
                                                   float alpha,
                                                   float beta) {
  return implemented<dnnl::eltwise_forward>(running, kind, algorithm, data, alpha, beta);
}

dnnl::eltwise_backward::primitive_desc element_wise_backward(
    const Running& running,
    const dnnl::eltwise_forward::primitive_desc& forward,
    algorithm algorithm,
    const memory::desc& data,
    float alpha,
    float beta) {
  return implemented_backward<dnnl::eltwise_backward>(
      running, forward, algorithm, data, data, alpha, beta);
}

dnnl::batch_normalization_forward::primitive_desc batch_normalization(
    const Running& running,
    dnnl::prop_kind kind,
    const memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags) {
  return implemented<dnnl::batch_normalization_forward>(running, kind, data, epsilon, flags);
}

dnnl::batch_normalization_backward::primitive_desc batch_normalization_backward(
    const Running& running,
    const dnnl::batch_normalization_forward::primitive_desc& forward,
    const memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags) {
  return implemented_backward<dnnl::batch_normalization_backward>(
      running, forward, dnnl::prop_kind::backward, data, data, epsilon, flags);
}

dnnl::pooling_forward::primitive_desc pooling(const Running& running,
                                              dnnl::prop_kind kind,
                                              algorithm algorithm,
                                              const memory::desc& source,
                                              const memory::desc& result,
                                              const Windows& windows) {
  return implemented<dnnl::pooling_forward>(running,
                                            kind,
                                            algorithm,
                                            source,
                                            result,
                                            windows.strides,
                                            windows.kernel,
                                            windows.padding,
                                            windows.padding_after);
}

dnnl::pooling_backward::primitive_desc pooling_backward(
    const Running& running,
    const dnnl::pooling_forward::primitive_desc& forward,
    algorithm algorithm,
    const memory::desc& source,
    const Windows& windows) {
  return implemented_backward<dnnl::pooling_backward>(running,
                                                      forward,
                                                      algorithm,
                                                      source,
                                                      forward.dst_desc(),
                                                      windows.strides,
                                                      windows.kernel,
                                                      windows.padding,
                                                      windows.padding_after);
}

dnnl::lrn_forward::primitive_desc response_norm(const Running& running,
                                                dnnl::prop_kind kind,
                                                const memory::desc& data,
                                                const ResponseWindow& window) {
  return implemented<dnnl::lrn_forward>(running,
                                        kind,
                                        algorithm::lrn_across_channels,
                                        data,
                                        window.size,
                                        window.alpha,
                                        window.beta,
                                        window.k);
}

dnnl::lrn_backward::primitive_desc response_norm_backward(
    const Running& running,
    const dnnl::lrn_forward::primitive_desc& forward,
    const memory::desc& data,
    const ResponseWindow& window) {
  return implemented_backward<dnnl::lrn_backward>(running,
                                                  forward,
                                                  algorithm::lrn_across_channels,
                                                  data,
                                                  data,
                                                  window.size,
                                                  window.alpha,
                                                  window.beta,
                                                  window.k);
}

// Its attributes come last in this version.
dnnl::shuffle_forward::primitive_desc shuffle(const Running& running,
                                              const memory::desc& data,
                                              int axis,
                                              int group_size) {
  return {dnnl::shuffle_forward::desc(dnnl::prop_kind::forward_training, data, axis, group_size),
          running.engine,
          running.attributes};
}

dnnl::shuffle_backward::primitive_desc shuffle_backward(
    const Running& running,
    const dnnl::shuffle_forward::primitive_desc& forward,
    const memory::desc& data,
    int axis,
    int group_size) {
  return {dnnl::shuffle_backward::desc(data, axis, group_size),
          running.engine,
          forward,
          running.attributes};
}

dnnl::concat::primitive_desc concatenation(const Running& running,
                                           int axis,
                                           const std::vector<memory::desc>& sources) {
  return {axis, sources, running.engine, running.attributes};
}

}  // namespace rightsize::cpu

#endif
