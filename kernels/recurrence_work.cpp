// Of Mamba: Gu and Dao, "Mamba", 2023, section 3.2 and algorithm 2. Of Mamba-2: Dao and Gu,
// "Transformers are SSMs", ICML 2024, section 6. Of the gated delta rule: Yang et al., "Gated Delta
// Networks", ICLR 2025, section 3.3, by chunks as Yang et al., NeurIPS 2024. Of lightning
// attention: Qin et al., "Lightning Attention-2", 2024, whose sums are Mamba-2's with keys for each
// head.
#include "kernels/recurrence_work.h"

#include <algorithm>

#include "kernels/elementwise_work.h"

namespace rightsize {
namespace {

constexpr double norm_flops = 4;                  // square, sum, normalise, scale
constexpr double silu_flops = sigmoid_flops + 1;  // of what is convolved, and of the gate
constexpr double scanned_flops = 9;               // a number of Mamba's state: factor, sum, output
constexpr std::int64_t mamba2_chunk = 256;        // as its authors' code has it; Nemotron-H's 128
constexpr std::int64_t delta_chunk = 64;          // as the code of "Gated Delta Networks" has it
constexpr std::int64_t lightning_chunk = 256;     // as MiniMax's code has it

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

// Of a position: the convolution, the norm and the gate, and what Mamba makes of its channels.
double flops_around(const Layer& layer) {
  const double convolved = as_double(layer.convolved());
  const double out = as_double(layer.out.c);
  if (layer.rule == StateRule::gated_convolution) {  // two gates, which are no function's
    return convolved * (2 * as_double(layer.kernel_h) + 2);
  }
  const double made = layer.rule == StateRule::mamba
                          ? 2 * out * as_double(2 * layer.step_rank + 2 * layer.state_dim)
                          : 0;
  return convolved * (2 * as_double(layer.kernel_h) + silu_flops) +
         out * ((layer.affine ? norm_flops : 0) + silu_flops + 1) + made;
}

// Of a position in a chunk of `chunk`, whose products are of whole squares in front of the
// position, half of which the causal mask leaves.
double flops_in_chunk(const Layer& layer, double chunk) {
  const double heads = as_double(layer.heads);
  const double state = as_double(layer.state_dim);
  const double value = as_double(layer.head_dim);
  if (layer.rule == StateRule::mamba2 || layer.rule == StateRule::lightning) {
    const double within =
        chunk / 2 * (as_double(layer.kv_heads) * state + heads * value);  // C B', and that by x
    return 2 * (within + 2 * heads * state * value);                      // into the state, out
  }
  // k k' and its inverse, the keys and values that it makes, q k' and that by the values; with the
  // state: what it gave before, what it takes in, what it gives out.
  const double within = chunk * (3 * state + 2 * value) + chunk * chunk;
  const double factors =
      layer.rule == StateRule::channel_delta ? 4 * state : 0;  // of keys, queries
  return 2 * heads * (within + 3 * state * value) + heads * factors;
}

double parameters_of(const Layer& layer) {
  const double out = as_double(layer.out.c);
  const double heads = as_double(layer.heads);
  const double convolution =
      as_double(layer.convolved()) * as_double(layer.kernel_h + (layer.bias ? 1 : 0));
  const double shared_scale = layer.affine ? as_double(layer.head_dim) : 0;  // by heads
  switch (layer.rule) {
    case StateRule::mamba: {
      const double made = out * as_double(layer.step_rank + 2 * layer.state_dim);
      const double steps = out * as_double(layer.step_rank + 1);
      const double norms = layer.affine ? as_double(layer.step_rank + 2 * layer.state_dim) : 0;
      return convolution + made + steps + norms + out * as_double(layer.state_dim + 1);
    }
    case StateRule::mamba2:  // three numbers a head; the norm's scale
      return convolution + 3 * heads + (layer.affine ? out : 0);
    case StateRule::gated_delta:  // two
      return convolution + 2 * heads + shared_scale;
    case StateRule::channel_delta:  // one, and one for each number of a key
      return convolution + heads * as_double(1 + layer.state_dim) + shared_scale;
    case StateRule::lightning:
      return layer.affine ? out : 0;
    case StateRule::gated_convolution:
      return convolution;
  }
  return 0;
}

}  // namespace

bool has_recurrence(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::linear_recurrence;
  });
}

std::int64_t chunk_positions(const Layer& layer, std::int64_t length) {
  switch (layer.rule) {
    case StateRule::mamba:
      return 1;
    case StateRule::mamba2:
      return std::min(length, mamba2_chunk);
    case StateRule::gated_delta:
    case StateRule::channel_delta:
      return std::min(length, delta_chunk);
    case StateRule::lightning:
      return std::min(length, lightning_chunk);
    case StateRule::gated_convolution:
      return length;
  }
  return 1;
}

void add_recurrence(const Layer& layer, LayerWork& work) {
  const auto positions = as_double(layer.out.positions());
  const double chunk = as_double(chunk_positions(layer, layer.out.positions()));
  const double inside = layer.rule == StateRule::mamba
                            ? scanned_flops * as_double(layer.state_elements())
                        : layer.rule == StateRule::gated_convolution ? 0
                                                                     : flops_in_chunk(layer, chunk);
  work.forward_flops = positions * (flops_around(layer) + inside);
  work.backward_flops = 2 * work.forward_flops;
  work.parameters = static_cast<std::uint64_t>(parameters_of(layer));
  // What was convolved and the states of chunks are made again; kept is what the state gave, before
  // its norm. The delta rule's code keeps what was convolved, and each chunk's inverse.
  const bool delta = layer.rule == StateRule::gated_delta || layer.rule == StateRule::channel_delta;
  const double kept = delta ? as_double(layer.convolved()) + chunk * as_double(layer.heads) : 0;
  work.kept_elements = static_cast<std::uint64_t>(positions * (as_double(layer.out.c) + kept));
}

double generated_recurrence_flops(const Layer& layer) {
  const double state = as_double(layer.state_elements());
  switch (layer.rule) {
    case StateRule::mamba:
      return flops_around(layer) + scanned_flops * state;
    case StateRule::mamba2:  // a factor, a product added, and out
      return flops_around(layer) + 5 * state;
    case StateRule::lightning:
      return flops_around(layer) + 5 * state;
    case StateRule::gated_delta:  // what the key gave before, beside
    case StateRule::channel_delta:
      return flops_around(layer) + 7 * state;
    case StateRule::gated_convolution:
      return flops_around(layer);
  }
  return 0;
}

double kept_state_bytes(const Layer& layer, double element) {
  if (layer.kind != LayerKind::linear_recurrence) {
    return 0;
  }
  return as_double(layer.convolved_elements()) * element +
         as_double(layer.state_elements()) * (layer.wide_state ? sizeof(float) : element);
}

double kept_state_bytes(const Network& network, double element) {
  double sum = 0;
  for (const auto& layer : network.layers) {
    sum += kept_state_bytes(layer, element);
  }
  return sum;
}

}  // namespace rightsize
