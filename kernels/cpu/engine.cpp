#include "kernels/cpu/engine.h"

#include <new>

#include <fmt/format.h>
#include <omp.h>

#include "kernels/cpu/admission.h"
#include "kernels/cpu/cpu_engine.h"
#include "kernels/cpu/graph.h"
#include "kernels/stopwatch.h"

namespace rightsize {
namespace cpu {
namespace {

// oneDNN's failures in the engine's own terms.
template <typename Action>
auto translated(const char* doing, Action action) {
  try {
    return action();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) {
      throw OutOfMemory(
          fmt::format("cpu engine, {}: oneDNN is out of memory; use a smaller batch", doing));
    }
    throw EngineError(
        fmt::format("cpu engine, {}: oneDNN says \"{}\" (status {}); run with "
                    "ONEDNN_VERBOSE=2 to see the operation",
                    doing,
                    error.what(),
                    static_cast<int>(error.status)));
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(fmt::format("cpu engine, {}: out of memory; use a smaller batch", doing));
  }
}

void check(const EngineOptions& options) {
  if (options.phase == Phase::preprocess) {
    throw EngineError("cpu engine: preprocess runs no network; use train, infer or another phase");
  }
  if (options.batch < 1) {
    throw EngineError(fmt::format("cpu engine: batch is {}; use at least 1", options.batch));
  }
  if (options.threads < 0) {
    throw EngineError(fmt::format("cpu engine: threads is {}; use 0 for all CPUs of this process",
                                  options.threads));
  }
}

std::string isa_name() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
      return "sse4.1";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
      return "avx2_vnni";
    case dnnl::cpu_isa::avx512_core:
      return "avx512";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_bf16";
    case dnnl::cpu_isa::avx512_core_amx:
      return "avx512_amx";
    default:
      return fmt::format("isa {:#x}", static_cast<unsigned>(dnnl::get_effective_cpu_isa()));
  }
}

}  // namespace

// oneDNN picks kernels for the thread count of the moment, so it is set before each use: OpenMP
// keeps it per calling thread, and another engine may have changed it.
CpuEngine::CpuEngine(const Network& network, const EngineOptions& options, bool keep_outputs)
    : threads_(options.threads > 0 ? options.threads : omp_get_num_procs()), phase_(options.phase) {
  check(options);
  omp_set_num_threads(threads_);
  graph_ = translated("building the network",
                      [&] { return std::make_unique<Graph>(network, options, keep_outputs); });
}

CpuEngine::~CpuEngine() = default;

StepResult CpuEngine::result(double seconds) const {
  StepResult result;
  if (phase_ != Phase::decode) {
    result.loss = graph_->state().loss;
  }
  if (graph_->classifies()) {
    result.correct = graph_->state().correct;
  }
  result.compute_s = seconds;
  return result;
}

StepResult CpuEngine::step(const Batch& batch) {
  omp_set_num_threads(threads_);
  graph_->bind(batch);
  const Stopwatch watch;
  translated("running a step", [&] {
    graph_->run(graph_->forward());
    graph_->run(graph_->backward());
    graph_->run(graph_->update());
  });
  graph_->advance();
  return result(watch.seconds());
}

StepResult CpuEngine::evaluate(const Batch& batch) {
  omp_set_num_threads(threads_);
  graph_->bind(batch);
  const Stopwatch watch;
  translated("evaluating a batch", [&] {
    graph_->run(graph_->forward());
    graph_->run(graph_->backward());
  });
  return result(watch.seconds());
}

std::vector<std::span<float>> CpuEngine::gradient_buffers() const {
  std::vector<std::span<float>> buffers;
  for (const auto& parameter : graph_->parameters().all()) {
    if (parameter.gradient) {
      buffers.emplace_back(parameter.gradient.data(),
                           parameter.gradient.desc().get_size() / sizeof(float));
    }
  }
  return buffers;
}

void CpuEngine::update() {
  omp_set_num_threads(threads_);
  translated("updating parameters", [&] { graph_->run(graph_->update()); });
  ++graph_->state().step;
}

std::vector<StepTime> CpuEngine::timed_step(const Batch& batch) {
  omp_set_num_threads(threads_);
  graph_->bind(batch);
  std::vector<StepTime> times;
  for (const auto* program : {&graph_->forward(), &graph_->backward(), &graph_->update()}) {
    for (const auto& part : *program) {
      const Stopwatch watch;
      translated(part.name.c_str(), part.run);
      times.push_back({part.name, watch.seconds()});
    }
  }
  graph_->advance();
  return times;
}

void CpuEngine::load_parameters(std::span<const ParameterValues> parameters) {
  for (const auto& parameter : parameters) {
    set_parameter(parameter.name, parameter.values);
  }
}

std::uint64_t CpuEngine::memory_bytes() const {
  return graph_->memory_bytes();
}

std::map<std::string, std::string> CpuEngine::software() const {
  const auto* version = dnnl::version();
  std::map<std::string, std::string> entries{
      {"oneDNN", fmt::format("{}.{}.{}", version->major, version->minor, version->patch)},
      {"isa", isa_name()},
      {"threads", fmt::format("{}", threads_)}};
  if (auto attention = graph_->attention_kernel(); !attention.empty()) {
    entries["attention"] = std::move(attention);
  }
  return entries;
}

std::vector<std::string> CpuEngine::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& parameter : graph_->parameters().all()) {
    names.push_back(parameter.name);
  }
  return names;
}

std::vector<float> CpuEngine::parameter(std::string_view name) const {
  return read(graph_->parameters().find(name).value, graph_->stream());
}

void CpuEngine::set_parameter(std::string_view name, std::span<const float> values) {
  write(graph_->parameters().find(name).value, values, graph_->stream());
}

std::vector<float> CpuEngine::gradient(std::string_view name) const {
  const auto& parameter = graph_->parameters().find(name);
  return parameter.gradient ? read(parameter.gradient, graph_->stream()) : std::vector<float>{};
}

std::vector<float> CpuEngine::output(std::string_view layer) const {
  return read(graph_->output(layer), graph_->stream());
}

}  // namespace cpu

std::unique_ptr<Engine> make_cpu_engine(const Network& network, const EngineOptions& options) {
  return std::make_unique<cpu::CpuEngine>(network, options);
}

void check_cpu_engine(const Network& network, const EngineOptions& options) {
  cpu::check(options);
  static_cast<void>(cpu::activation_type(network, options));
  cpu::check_passes(network, options.phase);
  cpu::check_beams(network);
}

}  // namespace rightsize
