// What the CPU engine costs beside bare oneDNN: the engine's convolutions, timed in a whole step,
// against the same layers run alone by oneDNN in memory of their own; then where the step goes.
//   bench_cpu_engine [network] [batch] [train|infer] [threads] [fp32|bf16]
// In BF16 the convolutions are not timed alone.
#include "kernels/cpu/cpu_engine.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include <fmt/core.h>
#include <omp.h>

#include "bench/timing.h"
#include "kernels/work.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

using dnnl::memory;

constexpr int repeats = 5;  // best of

double best_of(const std::function<void()>& run) {
  return bench::best_of(repeats, run);
}

struct Passes {
  double forward = 0;
  double backward_data = 0;
  double backward_weights = 0;

  [[nodiscard]] double sum() const { return forward + backward_data + backward_weights; }
};

memory::desc any(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

// One convolution alone, layouts of oneDNN's choice, every buffer its own.
class BareConvolution {
 public:
  BareConvolution(const Layer& layer, const FeatureShape& in, std::int64_t n)
      : source_{n, in.c, in.h, in.w},
        weights_{layer.groups,
                 layer.out.c / layer.groups,
                 in.c / layer.groups,
                 layer.kernel_h,
                 layer.kernel_w},
        output_{n, layer.out.c, layer.out.h, layer.out.w},
        strides_{layer.stride_h, layer.stride_w},
        padding_{layer.pad_h, layer.pad_w},
        forward_({dnnl::prop_kind::forward_training,
                  direct,
                  any(source_),
                  weight_desc(),
                  any(output_),
                  strides_,
                  padding_,
                  padding_},
                 engine_) {}

  Passes time(bool training, bool data_gradient) {
    Passes passes;
    passes.forward = run(dnnl::convolution_forward(forward_),
                         {{DNNL_ARG_SRC, filled(forward_.src_desc())},
                          {DNNL_ARG_WEIGHTS, filled(forward_.weights_desc())},
                          {DNNL_ARG_DST, filled(forward_.dst_desc())}});
    if (training && data_gradient) {
      const dnnl::convolution_backward_data::primitive_desc pd(
          {direct, any(source_), weight_desc(), any(output_), strides_, padding_, padding_},
          engine_,
          forward_);
      passes.backward_data = run(dnnl::convolution_backward_data(pd),
                                 {{DNNL_ARG_DIFF_SRC, filled(pd.diff_src_desc())},
                                  {DNNL_ARG_WEIGHTS, filled(pd.weights_desc())},
                                  {DNNL_ARG_DIFF_DST, filled(pd.diff_dst_desc())}});
    }
    if (training) {
      const dnnl::convolution_backward_weights::primitive_desc pd(
          {direct, any(source_), weight_desc(), any(output_), strides_, padding_, padding_},
          engine_,
          forward_);
      passes.backward_weights = run(dnnl::convolution_backward_weights(pd),
                                    {{DNNL_ARG_SRC, filled(pd.src_desc())},
                                     {DNNL_ARG_DIFF_WEIGHTS, filled(pd.diff_weights_desc())},
                                     {DNNL_ARG_DIFF_DST, filled(pd.diff_dst_desc())}});
    }
    return passes;
  }

 private:
  static constexpr auto direct = dnnl::algorithm::convolution_direct;

  [[nodiscard]] memory::desc weight_desc() const {
    return any(weights_[0] > 1 ? weights_ : memory::dims(weights_.begin() + 1, weights_.end()));
  }

  memory filled(const memory::desc& desc) {
    memory result(desc, engine_);
    auto* values = static_cast<float*>(result.get_data_handle());
    std::fill_n(values, desc.get_size() / sizeof(float), 0.5F);
    return result;
  }

  double run(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    return best_of([&] {
      primitive.execute(stream_, arguments);
      stream_.wait();
    });
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::dims source_, weights_, output_, strides_, padding_;
  dnnl::convolution_forward::primitive_desc forward_;
};

// Best time of each part of a step over several steps, by name, and the best whole step.
struct EngineTimes {
  std::map<std::string, double> parts;
  double parts_sum = 0;
  double step = 0;
};

EngineTimes time_engine(const Network& network, const EngineOptions& options) {
  cpu::CpuEngine engine(network, options);
  const auto batch = test::noise_batch(network, options.batch);
  EngineTimes times;
  std::vector<double> best;
  std::vector<cpu::StepTime> parts;
  for (int i = 0; i <= repeats; ++i) {
    parts = engine.timed_step(batch.view());
    best.resize(parts.size(), 1e9);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      best[k] = std::min(best[k], parts[k].seconds);
    }
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    times.parts[parts[k].name] += best[k];
    times.parts_sum += best[k];
  }
  times.step = best_of([&] { engine.step(batch.view()); });
  fmt::print("arena {:.2f} GiB\n", static_cast<double>(engine.memory_bytes()) / (1 << 30));
  return times;
}

void print_row(const std::string& name, double ours, double bare) {
  fmt::print("{:<28}{:>10.2f}{:>10.2f}{:>8.2f}\n", name, 1e3 * ours, 1e3 * bare, ours / bare);
}

void compare_convolutions(const Network& network,
                          const EngineOptions& options,
                          const EngineTimes& times) {
  fmt::print("{:<28}{:>10}{:>10}{:>8}\n", "convolution", "engine ms", "bare ms", "ratio");
  const auto part = [&](const std::string& name) {
    const auto found = times.parts.find(name);
    return found == times.parts.end() ? 0.0 : found->second;
  };
  double ours = 0;
  double bare = 0;
  for (const auto& layer : network.layers) {
    if (layer.kind != LayerKind::convolution) {
      continue;
    }
    const auto& in = network.layers[static_cast<std::size_t>(layer.inputs[0])].out;
    const auto alone = BareConvolution(layer, in, options.batch)
                           .time(options.phase == Phase::train, layer.inputs[0] != 0);
    const double mine = part(layer.name + ".forward") + part(layer.name + ".backward_data") +
                        part(layer.name + ".backward_weights");
    print_row(layer.name, mine, alone.sum());
    ours += mine;
    bare += alone.sum();
  }
  print_row("all convolutions", ours, bare);
}

// "res2_1_2a_bn.forward" -> "batch_norm.forward": layers of one kind and pass together.
std::string kind_of(const Network& network, const std::string& part) {
  const auto dot = part.find('.');
  if (dot == std::string::npos) {
    return part;
  }
  for (const auto& layer : network.layers) {
    if (layer.name == part.substr(0, dot)) {
      switch (layer.kind) {
        case LayerKind::convolution:
          return "convolution" + part.substr(dot);
        case LayerKind::fully_connected:
          return "fully_connected" + part.substr(dot);
        case LayerKind::batch_norm:
          return "batch_norm" + part.substr(dot);
        default:
          return "other" + part.substr(dot);
      }
    }
  }
  return part;
}

void print_shares(const Network& network, const EngineTimes& times) {
  std::map<std::string, double> kinds;
  for (const auto& [name, time] : times.parts) {
    kinds[kind_of(network, name)] += time;
  }
  fmt::print("\n{:<32}{:>10}{:>8}\n", "part of the step", "ms", "share");
  for (const auto& [name, time] : kinds) {
    fmt::print("{:<32}{:>10.2f}{:>7.1f}%\n", name, 1e3 * time, 100 * time / times.parts_sum);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const auto network = make_network(argc > 1 ? argv[1] : "resnet50");
  EngineOptions options;
  options.batch = argc > 2 ? std::atoi(argv[2]) : 16;
  options.phase = argc > 3 && std::string(argv[3]) == "infer" ? Phase::infer : Phase::train;
  options.threads = argc > 4 ? std::atoi(argv[4]) : omp_get_num_procs();
  omp_set_num_threads(options.threads);
  fmt::print("{} {} batch {} on {} threads, best of {}\n",
             network.title,
             to_string(options.phase),
             options.batch,
             options.threads,
             repeats);

  options.precision = parse_precision(argc > 5 ? argv[5] : "fp32").value_or(Precision::fp32);
  const auto times = time_engine(network, options);
  if (options.precision == Precision::fp32) {
    compare_convolutions(network, options, times);
  }
  print_shares(network, times);
  const double flops =
      options.phase == Phase::train ? training_flops(network) : forward_flops(network);
  fmt::print(
      "\nstep {:.1f} ms, {:.1f} items/s, {:.0f} GFLOP/s; its parts alone sum to {:.1f} ms "
      "(ratio {:.3f})\n",
      1e3 * times.step,
      options.batch / times.step,
      flops * options.batch / times.step / 1e9,
      1e3 * times.parts_sum,
      times.step / times.parts_sum);
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
