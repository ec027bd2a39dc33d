// One step of a network on a CPU where it was never measured:
//   t(b) = b [ F / (cores peak e) + T / (cores m) ] (1 + c (cores - 1)) + W / (cores m)
//          + L l (1 + g (cores - 1))
// F: FLOPs per item; T: bytes of activations, written once and read once per layer and direction;
// W: bytes of weights, gradients and optimizer state moved per step; L: layers that compute, an
// LSTM counting once per position. T has the keys and values too that each token reads that is
// written. A vCPU with SMT is half a core. In BF16 products take 1 / bf16_speed + u of FP32's time,
// where u is what feeding the units takes, and activations and weights that are only read have half
// the bytes; u is set to 40 runs of this engine by AMX (examples/measurements,
// precision_granite_rapids). A roofline whose two parts do not overlap (Williams,
// Waterman & Patterson, Communications of the ACM 52 (2009)) with contention between cores;
// starting and joining the threads of a layer costs more the more there are, so small networks get
// slower on large machines. Constants are fitted to published figures (cpu_calibration.h): MXNet's
// CPU inference of 2017 and 2018 on EC2's c4 and c5, and, for training with the frameworks of that
// time, the Keras study on 16 and 32 vCPUs of GCE. bench_scaling prints the leave-one-network-out
// error.
#pragma once

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/cpu_kind.h"
#include "models/laws/written_text.h"

namespace rightsize {

struct CpuComputeLaw {
  double efficiency = 0.639;         // of the peak of all cores, in convolutions and products
  double bytes_per_s = 6.76e9;       // per core
  double contention = 0.0087;        // per further core
  double layer_s = 25e-6;            // start and join of one layer's threads, one direction
  double layer_crowding = 0.01;      // of layer_s per further core; assumed
  double bf16_feeding = 0.06;        // u of convolutions and classifiers
  double bf16_sequences = 0.20;      // u of layers of sequences, which stay FP32 in between
  double log_sd = 0.26;              // of ln(rate): leave-one-network-out
  double unknown_cpu_log_sd = 0.50;  // vector width and clock, a factor of 2.4 between c4 and c5
};

// Libraries made for inference and today's for training; frameworks of 2015-2018 train much slower.
[[nodiscard]] CpuComputeLaw cpu_compute_law(bool era, Phase phase);

// What the law needs of a network, worked out once.
struct CpuWork {
  double flops = 0;             // per item, all directions of the phase
  double sequence_flops = 0;    // of these, linear layers', attention's and experts'
  double wide_flops = 0;        // likewise, an LSTM's, which are FP32's in any precision
  double activation_bytes = 0;  // per item
  double weight_bytes = 0;      // per step
  double packed_bytes = 0;      // likewise, of weights in 8 bits or fewer whatever is computed in
  bool trains = false;          // weights and what is kept beside them stay FP32
  double layers = 0;            // per step, all directions
  WrittenText written = {};     // per item
  double host_s = 0;  // per step, of the program that runs it (cpu_anchor.h), ours has none
};

// In phase decode an item is a token of a sequence that is as long as the network's.
[[nodiscard]] CpuWork cpu_work(const Network& network, Phase phase);

// What a CPU of this kind computes in where `asked` is: BF16 of 16 bits, if it has units for it and
// the libraries are not those of the era; else FP32.
[[nodiscard]] Precision cpu_precision(const CpuKind& cpu, Precision asked, bool era);

// Seconds of one step on `vcpus` of this kind in FP32 or, of a CPU that has it, BF16, without the
// host's; vcpus > 0.
[[nodiscard]] double cpu_step_seconds(const CpuComputeLaw& law,
                                      const CpuWork& work,
                                      const CpuKind& cpu,
                                      double vcpus,
                                      int batch,
                                      Precision precision = Precision::fp32);

}  // namespace rightsize
