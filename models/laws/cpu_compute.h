// One step of a network on a CPU where it was never measured:
//   t(b) = b [ F / (cores peak e) + T / (cores m) ] (1 + c (cores - 1)) + W / (cores w m)
//          + (L + p P) l (1 + g (cores - 1))
// F: FLOPs per item, where layers of sequences and LSTMs reach shares of e; T: bytes of
// activations, written once and read once per layer and direction; W: bytes of weights, gradients
// and optimizer state moved per step; L: layers that compute; P: positions of LSTMs, which start
// one after the other. An exponential, as of SiLU and GELU, counts as 45 FLOPs of FP32 in any
// precision, set so that EfficientNet-B0's 6.2 million an item take, with their bytes, the 18 ms of
// a 64 ms step of 8 that they take on two cores of a Zen 4 (bench_cpu_engine); tokens written one
// by one have none counted, as few as they are. T has the keys and values too that each token reads
// that is written. A vCPU with SMT is half a core. In BF16 products take of FP32's time 1 /
// bf16_speed or u, what feeding the units takes, whichever is the longer, and activations and
// weights that are only read have half the bytes; u is set to 40 runs of this engine by AMX
// (examples/measurements, precision_granite_rapids) and holds for 46 by AVX-512 BF16, whose units
// are slower than that (precision_zen4). A roofline whose two parts do not overlap (Williams,
// Waterman & Patterson, Communications of the ACM 52 (2009)) with contention between cores;
// starting and joining the threads of a layer costs more the more there are, so small networks get
// slower on large machines of the era; programs of today take no more threads than serve them.
// Cores have m each until they have a socket's bandwidth together, and where a socket is full the m
// of the era's fit.
//   Constants are fitted (tests/figures/cpu_calibration.h): those of the era to published figures,
//   MXNet's CPU
// inference of 2017 and 2018 on EC2's c4 and c5, and, for training with the frameworks of that
// time, the Keras study on 16 and 32 vCPUs of GCE; today's to this engine's steps of some forty
// networks on a Zen 4 (networks_zen4, precision_zen4), with the contention of the former.
// bench_scaling prints the leave-one-network-out error.
#pragma once

#include <limits>

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/cpu_kind.h"
#include "models/laws/written_text.h"

namespace rightsize {

struct CpuComputeLaw {
  double efficiency = 0.639;     // e: of the peak of all cores, in convolutions
  bool of_clock_as_sold = true;  // that peak; else the one that the kind of CPU sustains
  double sequence_share = 1;     // of that in layers of sequences
  double lstm_share = 1;         // likewise in an LSTM's small products
  double bytes_per_s = 6.76e9;   // m: per core
  double weight_share = 1;       // w: of that where weights are moved
  double socket_bytes_per_s = std::numeric_limits<double>::infinity();  // of few cores together
  double crowded_bytes_per_s = 0;    // per core, where a socket's are all busy
  double contention = 0.0087;        // c: per further core
  double layer_s = 25e-6;            // l: start and join of one layer's threads, one direction
  double position_share = 1;         // p: of that for one position of an LSTM
  double layer_crowding = 0.01;      // g: of layer_s per further core; assumed
  double exponential_flops = 0;      // of FP32, for one of them
  double bf16_feeding = 0.18;        // u of convolutions and classifiers
  double bf16_sequences = 0.30;      // u of layers of sequences, which stay FP32 in between
  double log_sd = 0.26;              // of ln(rate): leave-one-network-out
  double unknown_cpu_log_sd = 0.50;  // vector width and clock, a factor of 2.4 between c4 and c5
};

// Of the frameworks of 2015-2018, or of libraries of today.
[[nodiscard]] CpuComputeLaw cpu_compute_law(Stack stack, Phase phase);

// What the law needs of a network, worked out once.
struct CpuWork {
  double flops = 0;             // per item, all directions of the phase
  double sequence_flops = 0;    // of these, linear layers', attention's and experts'
  double wide_flops = 0;        // likewise, an LSTM's, which are FP32's in any precision
  double exponentials = 0;      // per item, all directions: values of functions that have one
  double activation_bytes = 0;  // per item
  double weight_bytes = 0;      // per step
  double packed_bytes = 0;      // likewise, of weights in 8 bits or fewer whatever is computed in
  bool trains = false;          // weights and what is kept beside them stay FP32
  double layers = 0;            // per step, all directions; LSTMs are not among them
  double positions = 0;         // per step, all directions, of LSTMs
  WrittenText written = {};     // per item
  double host_s = 0;  // per step, of the program that runs it (cpu_anchor.h), ours has none
};

// In phase decode an item is a token of a sequence that is as long as the network's.
[[nodiscard]] CpuWork cpu_work(const Network& network, Phase phase);

// What a CPU of this kind computes in where `asked` is: BF16 of 16 bits, if it has units for it and
// the libraries are not those of the era; else FP32.
[[nodiscard]] Precision cpu_precision(const CpuKind& cpu, Precision asked, Stack stack);

// Seconds of one step on `vcpus` of this kind in FP32 or, of a CPU that has it, BF16, without the
// host's; vcpus > 0.
[[nodiscard]] double cpu_step_seconds(const CpuComputeLaw& law,
                                      const CpuWork& work,
                                      const CpuKind& cpu,
                                      double vcpus,
                                      int batch,
                                      Precision precision = Precision::fp32);

}  // namespace rightsize
