#include "models/laws/cpu_compute.h"

#include <algorithm>

#include "kernels/recurrence_work.h"
#include "kernels/work.h"
#include "models/laws/gpu_step.h"

namespace rightsize {

namespace {

constexpr double bytes_per_value = 4;
// As the fit of the era has it of a socket of EC2's c5, 18 cores; newer ones have more: assumed.
constexpr double one_socket_bytes_per_s = 120e9;

// Times the weights cross memory in a step: read; and to train read again, the gradient written and
// read, and each of weight and moments read and written by the update.
double weight_passes(const Network& network, Phase phase) {
  if (!has_backward(phase)) {
    return 1;
  }
  const double state = network.optimizer == Optimizer::adam ? 3 : 2;
  return 1 + 1 + 2 + 2 * state;
}

// Of 32 bits, as many as a layer's weights are read: of a head the table of an embedding, of a tied
// convolution the weights of another, and of a table that is read token by token some rows.
double weights_read(const Network& network, std::size_t index, const LayerWork& work) {
  const auto& layer = network.layers[index];
  if (layer.kind == LayerKind::embedding && layer.passes > 1) {
    return static_cast<double>(layer.out.elements());
  }
  constexpr double whole = 32;
  const double share = layer.weight_bits > 0 ? static_cast<double>(layer.weight_bits) / whole : 1;
  if (layer.tied_to < 0 || layer.kind == LayerKind::embedding) {
    return share * static_cast<double>(work.parameters);
  }
  const auto in = network.layers[static_cast<std::size_t>(layer.inputs[0])].out.c;
  const auto window = layer.kind == LayerKind::convolution ? layer.kernel_h * layer.kernel_w : 1;
  return share * static_cast<double>(in / layer.groups * layer.out.c * window);
}

bool is_of_sequences(LayerKind kind) {
  return kind == LayerKind::linear || kind == LayerKind::attention || kind == LayerKind::experts ||
         kind == LayerKind::linear_recurrence;
}

// Written once and read once.
double moved_bytes(const LayerWork& layer) {
  return 2 * bytes_per_value * static_cast<double>(layer.output_elements);
}

// Of tables that several ids look up rows alone are read, and written where they alone are updated.
bool moves_rows(const Layer& layer, Phase phase) {
  return layer.kind == LayerKind::embedding_bags && (layer.updates_rows() || !has_backward(phase));
}

// Of a table whose vectors are picked by id some rows are read; they are counted as its output. Of
// one that a head has too, all.
bool reads_rows_alone(const Network& network, std::size_t index) {
  const auto& all = network.layers;
  return all[index].kind == LayerKind::embedding && all[index].passes == 1 &&
         std::none_of(all.begin(), all.end(), [&](const Layer& other) {
           return other.tied_to == static_cast<int>(index);
         });
}

// Of `times` passes over the layer.
void add_weights(CpuWork& work,
                 const Network& network,
                 std::size_t index,
                 const LayerWork& layer,
                 double times) {
  const bool packed = network.layers[index].weight_bits > 0;
  (packed ? work.packed_bytes : work.weight_bytes) +=
      times * bytes_per_value * weights_read(network, index, layer);
}

// Keys and values that one token of a text reads.
double context_read(const Layer& layer) {
  return layer.passes > 1 ? static_cast<double>(layer.keys * layer.cached_features()) : 0;
}

// Bytes of one item's rows that are read, and to learn read and written again, with Adagrad's sums
// beside.
double row_bytes(const Layer& layer, Phase phase) {
  if (!moves_rows(layer, phase)) {
    return 0;
  }
  const double sums = layer.table_update == TableUpdate::adagrad ? 2 : 1;
  return bytes_per_value * static_cast<double>(layer.looked_up() * layer.row_elements()) *
         (1 + (has_backward(phase) ? 2 * sums : 0));
}

// Of one item in one direction; the others are made of products and comparisons.
double exponentials_of(const Layer& layer, const LayerWork& work) {
  const auto function = layer.activation;
  const bool has = function == Activation::sigmoid || function == Activation::tanh ||
                   function == Activation::gelu || function == Activation::gelu_tanh ||
                   function == Activation::silu || function == Activation::elu;
  return layer.kind == LayerKind::activation && has ? static_cast<double>(work.output_elements) : 0;
}

bool is_computed(const Layer& layer, const LayerWork& work) {
  return work.forward_flops > 0 || layer.kind == LayerKind::embedding_bags;
}

// One more token of a sequence as long as the network's, beside its cache.
CpuWork token_work(const Network& network) {
  const auto context = network.input.positions();
  CpuWork work;
  work.flops = decode_flops(network, context);
  work.sequence_flops = work.flops;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    const auto whole = layer_work(network, i);
    if (whole.forward_flops > 0) {
      work.layers += 1;
      work.activation_bytes += 2 * bytes_per_value * static_cast<double>(layer.out.c);
    }
    if (layer.kind == LayerKind::attention) {
      work.activation_bytes +=
          bytes_per_value * static_cast<double>(layer.most_seen(context) * layer.read_features());
    }
    work.activation_bytes += 2 * kept_state_bytes(layer, bytes_per_value);
    const bool of_rows =
        layer.kind == LayerKind::embedding || layer.kind == LayerKind::position_embedding;
    add_weights(work, network, i, whole, of_rows ? 0 : 1);
  }
  return work;
}

double bytes_per_s_of(const CpuComputeLaw& law, double cores) {
  return std::min(cores * law.bytes_per_s,
                  std::max(law.socket_bytes_per_s, cores * law.crowded_bytes_per_s));
}

double seconds_on(const CpuComputeLaw& law,
                  const CpuWork& work,
                  const CpuKind& cpu,
                  double cores,
                  int batch,
                  Precision precision) {
  const bool narrow = precision == Precision::bf16 && cpu.bf16_speed > 0;
  const auto flops_as_fp32 = [&](double flops, double feeding) {
    return narrow ? flops * std::max(1 / cpu.bf16_speed, feeding) : flops;
  };
  const double others = work.flops - work.sequence_flops - work.wide_flops;
  const double products =
      flops_as_fp32(others, law.bf16_feeding) +
      flops_as_fp32(work.sequence_flops, law.bf16_sequences) / law.sequence_share +
      work.wide_flops / law.lstm_share + law.exponential_flops * work.exponentials;
  const double values = narrow ? 0.5 : 1;
  const double ghz = law.of_clock_as_sold ? cpu.ghz : cpu.ghz * cpu.sustains;
  const double peak = cores * ghz * 1e9 * cpu.flops_per_cycle * law.efficiency;
  const double bandwidth = bytes_per_s_of(law, cores);
  const double crowding = 1 + law.contention * std::max(0.0, cores - 1);
  const double item_s = (products / peak + values * work.activation_bytes / bandwidth) * crowding;
  const double weights = (work.trains ? 1 : values) * work.weight_bytes + work.packed_bytes;
  const double starts = work.layers + law.position_share * work.positions;
  return batch * item_s + weights / (law.weight_share * bandwidth) +
         starts * law.layer_s * (1 + law.layer_crowding * std::max(0.0, cores - 1));
}

constexpr double exponential_flops = 45;  // cpu_compute.h says of what

// Winograd's convolutions need fewer products than are counted, so training's reaches 1.
CpuComputeLaw today_inference(CpuComputeLaw law) {
  law.of_clock_as_sold = false;
  law.exponential_flops = exponential_flops;
  law.efficiency = 0.93;
  law.sequence_share = 0.877;
  law.lstm_share = 0.62;
  law.crowded_bytes_per_s = law.bytes_per_s;  // of EC2's c5 with all its cores
  law.socket_bytes_per_s = one_socket_bytes_per_s;
  law.bytes_per_s = 37.5e9;
  law.weight_share = 0.67;
  law.layer_s = 11e-6;
  law.position_share = 0.19;
  return law;
}

CpuComputeLaw today_training(CpuComputeLaw law) {
  law.of_clock_as_sold = false;
  law.exponential_flops = exponential_flops;
  law.efficiency = 1.03;
  law.sequence_share = 0.728;
  law.lstm_share = 0.48;
  law.crowded_bytes_per_s = law.bytes_per_s;
  law.socket_bytes_per_s = one_socket_bytes_per_s;
  law.bytes_per_s = 12.9e9;
  law.weight_share = 1.2;
  law.layer_s = 4.5e-6;
  law.position_share = 0.27;
  law.bf16_feeding = 0.5;
  law.bf16_sequences = 0.5;  // assumed: this engine trains them in FP32
  return law;
}

}  // namespace

CpuComputeLaw cpu_compute_law(Stack stack, Phase phase) {
  const bool era = stack == Stack::era;
  CpuComputeLaw law;
  if (era && has_backward(phase)) {
    law.efficiency = 0.212;
    law.bytes_per_s = 7.65e9;
    law.contention = 0.0109;
    law.layer_s = 174e-6;
    law.log_sd = 0.22;
  }
  if (!era) {
    law = has_backward(phase) ? today_training(law) : today_inference(law);
  }
  return law;
}

CpuWork cpu_work(const Network& network, Phase phase) {
  if (phase == Phase::decode) {
    return token_work(network);
  }
  const double directions = has_backward(phase) ? 3 : 1;  // backward: of data and of parameters
  CpuWork work;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto layer = layer_work(network, i);
    const double times = times_passed(network.layers[i]);
    const double flops =
        times * (layer.forward_flops + (has_backward(phase) ? layer.backward_flops : 0.0));
    work.flops += flops;
    work.sequence_flops += is_of_sequences(network.layers[i].kind) ? flops : 0;
    work.wide_flops += network.layers[i].kind == LayerKind::lstm ? flops : 0;
    work.exponentials +=  // backward of its input alone
        times * (has_backward(phase) ? 2 : 1) * exponentials_of(network.layers[i], layer);
    if (is_computed(network.layers[i], layer)) {
      const bool step_by_step = network.layers[i].kind == LayerKind::lstm;
      const double starts = static_cast<double>(network.layers[i].passes) * directions;
      work.layers += step_by_step ? 0 : starts;
      work.positions += step_by_step ? starts * static_cast<double>(network.layers[i].out.h) : 0;
      work.activation_bytes += times * directions * moved_bytes(layer);
    }
    work.activation_bytes += times * bytes_per_value * context_read(network.layers[i]);
    work.activation_bytes += row_bytes(network.layers[i], phase);
    if (moves_rows(network.layers[i], phase)) {
      continue;
    }
    if (!has_backward(phase) && reads_rows_alone(network, i)) {
      work.activation_bytes += times * moved_bytes(layer);
    } else {
      add_weights(work, network, i, layer, static_cast<double>(network.layers[i].passes));
    }
  }
  work.weight_bytes *= weight_passes(network, phase);
  work.packed_bytes *= weight_passes(network, phase);
  work.trains = has_backward(phase);
  work.written = written_text(network);
  return work;
}

Precision cpu_precision(const CpuKind& cpu, Precision asked, Stack stack) {
  const bool narrow = asked == Precision::bf16 || asked == Precision::fp16;
  return narrow && cpu.bf16_speed > 0 && stack == Stack::current ? Precision::bf16
                                                                 : Precision::fp32;
}

double cpu_step_seconds(const CpuComputeLaw& law,
                        const CpuWork& work,
                        const CpuKind& cpu,
                        double vcpus,
                        int batch,
                        Precision precision) {
  // One hardware thread alone still has its core's vector units to itself now and then.
  const double cores = std::max(vcpus / cpu.threads_per_core, std::min(vcpus, 1.0) * 0.75);
  const auto seconds = [&](double used) {
    return seconds_on(law, work, cpu, used, batch, precision);
  };
  double best = seconds(cores);
  if (!law.of_clock_as_sold) {
    // Numbers of threads that are the same on any machine, so that a larger is never slower.
    for (int used = 1; used < cores; used += std::max(1, used / 8)) {
      best = std::min(best, seconds(used));
    }
  }
  return best;
}

}  // namespace rightsize
