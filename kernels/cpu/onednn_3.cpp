// onednn.h by version 3 of the library.
#include "kernels/cpu/onednn.h"

#if DNNL_VERSION_MAJOR >= 3

namespace rightsize::cpu {

using dnnl::algorithm;
using dnnl::memory;

memory::dims dims_of(const memory::desc& desc) {
  return desc.get_dims();
}

memory::data_type type_of(const memory::desc& desc) {
  return desc.get_data_type();
}

memory::desc with_type(const memory::desc& desc, memory::data_type type) {
  if (desc.get_data_type() == type) {
    return desc;
  }
  if (desc.get_format_kind() == memory::format_kind::any) {
    return {desc.get_dims(), type, memory::format_tag::any};
  }
  if (desc.get_inner_nblks() == 0) {
    return {desc.get_dims(), type, desc.get_strides()};
  }
  const auto dims = desc.get_dims();
  if (dims.size() == 4) {
    for (const auto layout : {memory::format_tag::nChw16c, memory::format_tag::nChw8c}) {
      if (desc == memory::desc(dims, desc.get_data_type(), layout)) {
        return {dims, type, layout};
      }
    }
  }
  memory::dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * dims[i];
  }
  return {dims, type, strides};
}

void append_element_wise(dnnl::post_ops& post_ops, algorithm algorithm, float alpha, float beta) {
  post_ops.append_eltwise(algorithm, alpha, beta);
}

dnnl::eltwise_forward::primitive_desc element_wise(const Running& running,
                                                   dnnl::prop_kind kind,
                                                   algorithm algorithm,
                                                   const memory::desc& data,
                                                   float alpha,
                                                   float beta) {
  return {running.engine, kind, algorithm, data, data, alpha, beta, running.attributes};
}

dnnl::eltwise_backward::primitive_desc element_wise_backward(
    const Running& running,
    const dnnl::eltwise_forward::primitive_desc& forward,
    algorithm algorithm,
    const memory::desc& data,
    float alpha,
    float beta) {
  return implemented_backward<dnnl::eltwise_backward>(
      running, forward, algorithm, data, data, data, alpha, beta);
}

dnnl::batch_normalization_forward::primitive_desc batch_normalization(
    const Running& running,
    dnnl::prop_kind kind,
    const memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags) {
  return implemented<dnnl::batch_normalization_forward>(running, kind, data, data, epsilon, flags);
}

dnnl::batch_normalization_backward::primitive_desc batch_normalization_backward(
    const Running& running,
    const dnnl::batch_normalization_forward::primitive_desc& forward,
    const memory::desc& data,
    float epsilon,
    dnnl::normalization_flags flags) {
  return implemented_backward<dnnl::batch_normalization_backward>(
      running, forward, dnnl::prop_kind::backward, data, data, data, epsilon, flags);
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
                                            memory::dims(windows.kernel.size(), 0),
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
                                                      memory::dims(windows.kernel.size(), 0),
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
                                                  data,
                                                  window.size,
                                                  window.alpha,
                                                  window.beta,
                                                  window.k);
}

dnnl::shuffle_forward::primitive_desc shuffle(const Running& running,
                                              const memory::desc& data,
                                              int axis,
                                              int group_size) {
  return implemented<dnnl::shuffle_forward>(
      running, dnnl::prop_kind::forward_training, data, data, axis, group_size);
}

dnnl::shuffle_backward::primitive_desc shuffle_backward(
    const Running& running,
    const dnnl::shuffle_forward::primitive_desc& forward,
    const memory::desc& data,
    int axis,
    int group_size) {
  return implemented_backward<dnnl::shuffle_backward>(
      running, forward, data, data, axis, group_size);
}

dnnl::concat::primitive_desc concatenation(const Running& running,
                                           int axis,
                                           const std::vector<memory::desc>& sources) {
  return {running.engine, axis, sources, running.attributes};
}

}  // namespace rightsize::cpu

#endif
