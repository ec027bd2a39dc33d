// What a network costs, as arithmetic: pure functions of the layers, no hardware involved.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize {

// Work of one layer for one item, in one pass of one copy (Layer::passes, copies). FLOPs count a
// multiply-add as two; bytes are the least traffic (each tensor read or written once) at
// `bytes_per_element`.
struct LayerWork {
  double forward_flops = 0;
  double backward_flops = 0;  // gradients of the data and of the parameters
  std::uint64_t parameters = 0;
  std::uint64_t input_elements = 0;
  std::uint64_t output_elements = 0;
  // What the backward pass needs beside inputs and outputs: an LSTM's gates and cells, attention's
  // log-sum-exp of each row (Dao et al., NeurIPS 2022).
  std::uint64_t kept_elements = 0;
};

[[nodiscard]] LayerWork layer_work(const Network& network, std::size_t layer);

[[nodiscard]] std::uint64_t parameter_count(const Network& network);
// Those that one position passes through: of a mixture of experts the ones it takes.
[[nodiscard]] std::uint64_t active_parameter_count(const Network& network);
[[nodiscard]] bool has_experts(const Network& network);
// Whether it foretells the noise of a picture, or a whole picture from a prompt by doing so step by
// step (networks/diffusion).
[[nodiscard]] bool is_denoiser(const Network& network);
[[nodiscard]] bool makes_pictures(const Network& network);
[[nodiscard]] bool reads_pictures(const Network& network);  // pixels: no tokens, latents or sound
[[nodiscard]] bool takes_given(const Network& network);     // something beside the input
// Whether it is a detector or a segmenter, with a label for each of many positions of an image
// (networks/detection).
[[nodiscard]] bool labels_positions(const Network& network);
[[nodiscard]] bool finds_objects(const Network& network);  // a detector
// Writes token by token what its encoder has read (networks/encoder_decoder).
[[nodiscard]] bool writes_text(const Network& network);
// Whether some have another's parameters: of a block that a sequence passes again and again
// (ALBERT).
[[nodiscard]] bool shares_layers(const Network& network);
[[nodiscard]] bool has_latents(const Network& network);  // attention to latent vectors (MLA)
// Of a recommender's tables: whether an update touches rows alone (Layer::updates_rows); then the
// parameters of those tables, and elements of one item that they give.
[[nodiscard]] bool has_row_tables(const Network& network);
[[nodiscard]] bool looks_up_tables(const Network& network);  // has tables, however trained
[[nodiscard]] std::uint64_t row_table_parameters(const Network& network);
[[nodiscard]] std::uint64_t row_table_elements(const Network& network);
// How often an item passes the layer, in all copies.
[[nodiscard]] double times_passed(const Layer& layer);
[[nodiscard]] double forward_flops(const Network& network);   // per item
[[nodiscard]] double training_flops(const Network& network);  // forward + backward, per item

// Keys and values of one item's whole sequence, in all layers, or of the window that a layer sees;
// 0 without attention.
[[nodiscard]] std::uint64_t kv_cache_elements(const Network& network);
// One generated token when `context` tokens are in the cache.
[[nodiscard]] double decode_flops(const Network& network, std::int64_t context);
// All of a prompt of so many tokens.
[[nodiscard]] double prompt_flops(const Network& network, std::int64_t tokens);

// Device memory for one step, in bytes: parameters (when training with gradients, the optimizer's
// moments and the narrow copy the kernels read: training_state.h), activations kept for the
// backward pass, the two largest once more (gradients in flight; all there is when inferring),
// inputs; for decode the parameters and the cache of a whole sequence.
// Excludes the library's workspace and context, which the model adds from measurement.
[[nodiscard]] std::uint64_t device_memory_bytes(const Network& network,
                                                Phase phase,
                                                Precision precision,
                                                int batch);

// What of it is no activation: parameters, gradients, the optimizer's state, the narrow copy; of a
// network with adapters as adapter_work.h says.
[[nodiscard]] std::uint64_t parameter_memory_bytes(const Network& network,
                                                   Phase phase,
                                                   Precision precision);
// What of that are tables whose updates touch rows alone: FP32 in training, with Adagrad's sums; no
// gradient of the whole, which is never there.
[[nodiscard]] std::uint64_t row_table_bytes(const Network& network,
                                            Phase phase,
                                            Precision precision);
// Of one trained parameter of the network, as it keeps them.
[[nodiscard]] StateBytes state_bytes(const Network& network, Phase phase, Precision precision);

// All activations of one item kept for the backward pass, in elements.
[[nodiscard]] std::uint64_t activation_elements(const Network& network);
// The same layer by layer.
[[nodiscard]] std::vector<std::uint64_t> activation_elements_by_layer(const Network& network);
// What one item needs beside what is kept: its input and the two largest activations once more; of
// a denoiser, where long connections wait, the most that is alive at once.
[[nodiscard]] std::uint64_t in_flight_elements(const Network& network);

}  // namespace rightsize
