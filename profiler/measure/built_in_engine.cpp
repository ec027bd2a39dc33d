#include "profiler/measure/built_in_engine.h"

namespace rightsize {

EngineOptions engine_options(const RunSpec& spec) {
  EngineOptions options;
  options.phase = spec.workload.phase;
  options.precision = spec.workload.precision;
  options.batch = spec.workload.batch;
  options.prompt = spec.workload.prompt;
  options.ranks = spec.workload.ranks;
  options.exchange = spec.workload.exchange;
  options.compression = spec.workload.compression;
  options.threads = engine_threads_of(spec);
  options.device_memory_limit_bytes = spec.limits.gpu_memory_bytes;
  options.device_share = spec.limits.gpu_share;
  options.preprocess_on = spec.workload.preprocess_on;
  options.seed = spec.seed;
  options.replay_items_per_s = spec.workload.replay_items_per_s;
  // What a server is said to answer has the copies of its inputs in it.
  options.replay_hides_copy = spec.workload.requests.has_value();
  return options;
}

std::unique_ptr<Engine> make_built_in_engine(const RunSpec& spec, const Network& network) {
  auto engine = make_engine(spec.workload.engine, network, engine_options(spec));
  // Read once more and let go: a copy kept here would count as the job's memory.
  const auto& work = spec.workload;
  engine->load_parameters(make_trained_network(work.network, work.sequence).parameters);
  return engine;
}

TaskInfo describe_engine(const Engine& engine, const Network& network, const RunSpec& spec) {
  TaskInfo info;
  info.engine_threads = spec.workload.engine == EngineKind::cpu ? engine_threads_of(spec) : 0;
  info.engine_memory_bytes = engine.memory_bytes();
  info.software = engine.software();
  info.software["input"] = network.reads_tokens() ? "tokens" : network.hears() ? "sound" : "images";
  return info;
}

Network network_of(const RunSpec& spec) {
  return make_network(spec.workload.network, spec.workload.sequence);
}

}  // namespace rightsize
