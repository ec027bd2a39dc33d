// What a transformer's step costs beside its matrix products run alone by oneDNN in memory of their
// own, and where the step goes. Decoding: how fast the weights are read, beside a loop that only
// reads.
//   bench_transformer [network] [batch] [sequence] [train|infer|decode] [fp32|bf16] [threads]
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include <fmt/core.h>
#include <omp.h>

#include "bench/timing.h"
#include "kernels/cpu/cpu_engine.h"
#include "kernels/cpu/simd.h"
#include "kernels/work.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

using dnnl::memory;

constexpr int repeats = 5;  // best of

double best_of(const std::function<void()>& run) {
  return bench::best_of(repeats, run);
}

// C {m, n} = A {m, k} B {k, n}, weights in the layout oneDNN likes, everything else row by row.
class BareProducts {
 public:
  explicit BareProducts(memory::data_type type) : type_(type) {}

  double time(memory::dim m, memory::dim n, memory::dim k) {
    const auto key = std::tuple(m, n, k);
    const auto known = times_.find(key);
    if (known != times_.end()) {
      return known->second;
    }
    using Tag = memory::format_tag;
    const dnnl::matmul::primitive_desc pd(
        {{{m, k}, type_, Tag::ab}, {{k, n}, type_, Tag::any}, {{m, n}, type_, Tag::ab}}, engine_);
    const dnnl::matmul product(pd);
    const std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, filled(pd.src_desc())},
                                                    {DNNL_ARG_WEIGHTS, filled(pd.weights_desc())},
                                                    {DNNL_ARG_DST, filled(pd.dst_desc())}};
    return times_[key] = best_of([&] {
             product.execute(stream_, arguments);
             stream_.wait();
           });
  }

 private:
  memory filled(const memory::desc& desc) {
    memory result(desc, engine_);
    std::memset(result.get_data_handle(), 0x3c, desc.get_size());
    return result;
  }

  memory::data_type type_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::map<std::tuple<memory::dim, memory::dim, memory::dim>, double> times_;
};

// All products with learned weights of one step.
double bare_seconds(const Network& network, const EngineOptions& options) {
  BareProducts products(options.precision == Precision::bf16 ? memory::data_type::bf16
                                                             : memory::data_type::f32);
  double sum = 0;
  for (const auto& layer : network.layers) {
    if (layer.kind != LayerKind::linear) {
      continue;
    }
    const auto& in = network.layers[static_cast<std::size_t>(layer.inputs[0])].out;
    const auto rows = options.batch * layer.out.positions();
    sum += products.time(rows, layer.out.c, in.c);
    if (options.phase == Phase::train) {
      sum += products.time(rows, in.c, layer.out.c) + products.time(layer.out.c, in.c, rows);
    }
  }
  return sum;
}

// "block7_qkv.forward" -> "qkv.forward".
std::string without_block(const std::string& part) {
  const auto underscore = part.find('_');
  return part.starts_with("block") && underscore != std::string::npos ? part.substr(underscore + 1)
                                                                      : part;
}

void print_shares(cpu::CpuEngine& engine, const Batch& batch) {
  std::vector<double> best;
  std::vector<cpu::StepTime> parts;
  for (int i = 0; i <= repeats; ++i) {
    parts = engine.timed_step(batch);
    best.resize(parts.size(), 1e9);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      best[k] = std::min(best[k], parts[k].seconds);
    }
  }
  std::map<std::string, double> kinds;
  double sum = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    kinds[without_block(parts[k].name)] += best[k];
    sum += best[k];
  }
  fmt::print("{:<36}{:>10}{:>8}\n", "part of the step", "ms", "share");
  for (const auto& [name, time] : kinds) {
    fmt::print("{:<36}{:>10.2f}{:>7.1f}%\n", name, 1e3 * time, 100 * time / sum);
  }
}

// Sums in enough registers that memory, not the additions, is what takes the time.
RIGHTSIZE_SIMD_CLONES float read_all(const float* values, std::int64_t count) {
  constexpr std::int64_t lanes = 128;
  float sums[lanes] = {};
  for (std::int64_t i = 0; i + lanes <= count; i += lanes) {
#pragma omp simd
    for (std::int64_t j = 0; j < lanes; ++j) {
      sums[j] += values[i + j];
    }
  }
  float sum = 0;
  for (const float part : sums) {
    sum += part;
  }
  return sum;
}

double read_bytes_per_s() {
  constexpr std::int64_t piece = 1 << 20;
  const std::vector<float> values(std::size_t{1} << 28, 1.0F);  // 1 GiB, far beyond any cache
  float sum = 0;
  const double time = best_of([&] {
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(values.size()); i += piece) {
      sum += read_all(values.data() + i, piece);
    }
  });
  const auto bytes = static_cast<double>(values.size() * sizeof(float));
  return sum > 0 ? bytes / time : 0;
}

// Every weight is read once per step, and the cache up to the position; looked-up rows are not.
void print_decode(const Network& network, const EngineOptions& options, double step) {
  auto read = static_cast<double>(parameter_count(network));
  bool tied = false;
  for (const auto& layer : network.layers) {
    tied = tied || layer.tied_to >= 0;
  }
  read -= tied ? 0.0 : static_cast<double>(network.vocabulary * network.layers[1].out.c);
  const double rate = read * bytes_per_element(options.precision) / step;
  const double plain = read_bytes_per_s();
  fmt::print("weights read at {:.1f} GB/s; a loop that only reads: {:.1f} GB/s (ratio {:.2f})\n",
             rate / 1e9,
             plain / 1e9,
             rate / plain);
}

EngineOptions options_from(int argc, char** argv) {
  const auto word = [&](int index, const char* otherwise) {
    return std::string(argc > index ? argv[index] : otherwise);
  };
  EngineOptions options;
  options.batch = std::atoi(word(2, "4").c_str());
  options.phase = parse_phase(word(4, "train")).value();
  options.precision = parse_precision(word(5, "fp32")).value();
  options.threads = argc > 6 ? std::atoi(argv[6]) : omp_get_num_procs();
  options.learning_rate = 1e-5F;
  return options;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto network =
      make_network(argc > 1 ? argv[1] : "gpt2", argc > 3 ? std::atoi(argv[3]) : 256);
  const auto options = options_from(argc, argv);
  const bool decode = options.phase == Phase::decode;
  omp_set_num_threads(options.threads);
  cpu::CpuEngine engine(network, options);
  auto batch = test::noise_batch(network, options.batch);
  if (decode) {
    batch.tokens.resize(static_cast<std::size_t>(options.batch));
  }
  print_shares(engine, batch.view());
  const double step = best_of([&] { engine.step(batch.view()); });
  // Decoding, a product alone would find its weights in the cache, which a step does not.
  const double bare = decode ? 0.0 : bare_seconds(network, options);
  const double tokens =
      static_cast<double>(options.batch * (decode ? 1 : network.input.positions()));
  fmt::print(
      "{} {} {} batch {} sequence {} on {} threads, best of {}: step {:.1f} ms, {:.0f} "
      "positions/s, arena {:.2f} GiB\n",
      network.title,
      to_string(options.phase),
      to_string(options.precision),
      options.batch,
      network.input.positions(),
      options.threads,
      repeats,
      1e3 * step,
      tokens / step,
      static_cast<double>(engine.memory_bytes()) / (1 << 30));
  if (decode) {
    print_decode(network, options, step);
  } else {
    fmt::print("its products alone {:.1f} ms (ratio {:.2f})\n", 1e3 * bare, step / bare);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
