#include "kernels/gpu/plugin_loader.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/gpu/gpu_engine.h"
#include "kernels/gpu/network_pod.h"
#include "kernels/gpu/plugin_library.h"

namespace rightsize {
namespace gpu {
namespace {

PluginLibrary open_library() {
  std::string reason;
  auto library = PluginLibrary::open(reason);
  if (!library) {
    throw EngineError("gpu engine: " + reason);
  }
  return std::move(*library);
}

[[noreturn]] void fail(abi::Status status, const std::string& sentence) {
  if (status == abi::Status::out_of_memory) {
    throw OutOfMemory(sentence);
  }
  throw EngineError(sentence);
}

abi::Options encode(const EngineOptions& options, const GpuOptions& gpu) {
  if (options.phase == Phase::preprocess) {
    throw EngineError("gpu engine: preprocess runs no network; use train, infer or another phase");
  }
  if (options.batch < 1) {
    throw EngineError(fmt::format("gpu engine: batch is {}; use at least 1", options.batch));
  }
  abi::Options pod{};
  pod.phase = static_cast<std::int32_t>(options.phase);
  pod.precision = static_cast<std::int32_t>(options.precision);
  pod.batch = options.batch;
  pod.device = options.device;
  pod.learning_rate = options.learning_rate;
  pod.momentum = options.momentum;
  pod.weight_decay = options.weight_decay;
  pod.beta1 = options.beta1;
  pod.beta2 = options.beta2;
  pod.adam_epsilon = options.adam_epsilon;
  pod.cuda_graph = gpu.cuda_graph ? 1 : 0;
  pod.keep_outputs = gpu.keep_outputs ? 1 : 0;
  pod.prompt = options.prompt;
  pod.seed = options.seed;
  pod.memory_limit = options.device_memory_limit_bytes;
  pod.device_share = options.device_share;
  pod.rank = options.rank;
  pod.exchange = static_cast<std::int32_t>(options.exchange);
  pod.compression = static_cast<std::int32_t>(options.compression);
  pod.communicator = gpu.communicator;
  pod.preprocess = options.preprocess_on == PreprocessOn::gpu ? 1 : 0;
  return pod;
}

}  // namespace

GpuEngine::GpuEngine(const Network& network, const EngineOptions& options, const GpuOptions& gpu)
    : library_(open_library()),
      network_(network.name),
      items_(options.batch),
      phase_(options.phase),
      reads_tokens_(network.reads_tokens()),
      input_elements_(phase_ == Phase::decode ? 1 : network.input.elements()),
      label_count_(phase_ == Phase::decode ? 0 : items_ * network.labels_per_item()),
      vocabulary_(network.vocabulary),
      most_pixels_(options.preprocess_on == PreprocessOn::gpu
                       ? options.batch * picture_bytes(network.input.h, network.input.c)
                       : 0),
      classes_(network.classes) {
  const EncodedNetwork encoded(network);
  const auto view = encoded.view();
  const auto pod = encode(options, gpu);
  abi::Message message{};
  const auto status = library_.functions().create(&view, &pod, &engine_, &message);
  if (status != abi::Status::ok) {
    fail(status,
         fmt::format("gpu engine, {} at batch {}: {}", network.name, options.batch, message.text));
  }
}

GpuEngine::~GpuEngine() {
  library_.functions().destroy(engine_);
}

void GpuEngine::check(abi::Status status, const char* doing) const {
  if (status != abi::Status::ok) {
    fail(status,
         fmt::format(
             "gpu engine, {}, {}: {}", network_, doing, library_.functions().last_error(engine_)));
  }
}

void GpuEngine::check_pictures(const Pictures& given) const {
  if (given.pictures.size() != static_cast<std::size_t>(items_) ||
      given.pixels.size() > most_pixels_) {
    throw EngineError(fmt::format(
        "gpu engine, {}: got {} pictures of {} bytes, the batch takes {} of at most {}; "
        "check the loader's crop and batch",
        network_,
        given.pictures.size(),
        given.pixels.size(),
        items_,
        most_pixels_));
  }
}

void GpuEngine::check(const Batch& batch) const {
  const auto needed = most_pixels_ > 0 ? 0 : items_ * input_elements_;
  if (most_pixels_ > 0) {
    check_pictures(batch.pictures);
  }
  const auto given = reads_tokens_ ? batch.tokens.size() : batch.images.size();
  if (static_cast<std::int64_t>(given) != needed ||
      (label_count_ > 0 && static_cast<std::int64_t>(batch.labels.size()) != label_count_)) {
    throw EngineError(
        fmt::format("gpu engine, {}: got {} {} and {} labels, the batch of {} needs {} and {}; "
                    "check the loader's crop or sequence, and its batch",
                    network_,
                    given,
                    reads_tokens_ ? "tokens" : "image values",
                    batch.labels.size(),
                    items_,
                    needed,
                    label_count_));
  }
  if (label_count_ > 0) {
    check_ids(batch.labels, classes_, "label");
  }
  if (reads_tokens_) {
    check_ids(batch.tokens, vocabulary_, "token");
  }
}

// Labels below zero stand for "no label here".
void GpuEngine::check_ids(std::span<const std::int32_t> ids,
                          std::int64_t count,
                          const char* what) const {
  const bool is_label = std::string_view(what) == "label";
  const auto wrong = std::find_if(ids.begin(), ids.end(), [&](std::int32_t id) {
    return id >= count || (id < 0 && !is_label);
  });
  if (wrong != ids.end()) {
    throw EngineError(
        fmt::format("gpu engine, {}: {} {} is not one of {} {}; check the dataset's {}s",
                    network_,
                    what,
                    *wrong,
                    count,
                    is_label ? "classes" : "ids",
                    what));
  }
}

StepResult GpuEngine::run(abi::Run run, const Batch& batch) {
  check(batch);
  abi::StepResult pod{};
  const auto* const doing = run == abi::Run::step ? "running a step" : "evaluating a batch";
  if (most_pixels_ > 0) {
    const auto& [pixels, pictures] = batch.pictures;
    const abi::Pictures packed{pixels.data(), pixels.size(), pictures.data()};
    check(library_.functions().step_pictures(engine_, run, &packed, batch.labels.data(), &pod),
          doing);
  } else {
    check(library_.functions().step(
              engine_, run, batch.images.data(), batch.tokens.data(), batch.labels.data(), &pod),
          doing);
  }
  overflowed_ = pod.overflow != 0;
  StepResult result;
  if (phase_ != Phase::decode) {
    result.loss = pod.loss;
    result.correct = pod.correct;
  }
  result.copy_s = pod.copy_s;
  result.compute_s = pod.compute_s;
  return result;
}

StepResult GpuEngine::step(const Batch& batch) {
  return run(abi::Run::step, batch);
}

StepResult GpuEngine::evaluate(const Batch& batch) {
  return run(abi::Run::evaluate, batch);
}

std::uint64_t GpuEngine::memory_bytes() const {
  return library_.functions().memory_bytes(engine_);
}

std::map<std::string, std::string> GpuEngine::software() const {
  std::map<std::string, std::string> entries;
  std::string_view text = library_.functions().describe(engine_);
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto equals = line.find('=');
    if (equals != std::string_view::npos) {
      entries.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return entries;
}

std::vector<std::string> GpuEngine::parameter_names() const {
  std::vector<std::string> names;
  const auto& plugin = library_.functions();
  for (std::int32_t i = 0; const char* name = plugin.parameter_name(engine_, i); ++i) {
    names.emplace_back(name);
  }
  return names;
}

std::vector<float> GpuEngine::read(abi::Values kind, std::string_view name) const {
  const std::string text(name);
  std::uint64_t count = 0;
  const auto& plugin = library_.functions();
  check(plugin.read(engine_, kind, text.c_str(), nullptr, 0, &count), "reading values");
  std::vector<float> values(count);
  check(plugin.read(engine_, kind, text.c_str(), values.data(), count, &count), "reading values");
  return values;
}

std::vector<float> GpuEngine::parameter(std::string_view name) const {
  return read(abi::Values::parameter, name);
}

std::vector<float> GpuEngine::gradient(std::string_view name) const {
  return read(abi::Values::gradient, name);
}

std::vector<float> GpuEngine::output(std::string_view layer) const {
  return read(abi::Values::output, layer);
}

void GpuEngine::load_parameters(std::span<const ParameterValues> parameters) {
  for (const auto& parameter : parameters) {
    set_parameter(parameter.name, parameter.values);
  }
}

void GpuEngine::set_parameter(std::string_view name, std::span<const float> values) {
  const std::string text(name);
  check(library_.functions().write_parameter(engine_, text.c_str(), values.data(), values.size()),
        "writing a parameter");
}

}  // namespace gpu

GpuProbe probe_gpu() {
  GpuProbe probe;
  const auto library = gpu::PluginLibrary::open(probe.reason);
  if (!library) {
    return probe;
  }
  probe.plugin = library->path();
  std::vector<gpu::abi::Device> devices(64);
  std::int32_t count = 0;
  gpu::abi::Message message{};
  const auto status = library->functions().devices(
      devices.data(), static_cast<std::int32_t>(devices.size()), &count, &message);
  if (status != gpu::abi::Status::ok) {
    probe.reason = message.text;
    return probe;
  }
  devices.resize(static_cast<std::size_t>(std::min<std::int32_t>(count, 64)));
  for (const auto& device : devices) {
    probe.devices.push_back({device.name,
                             device.memory_bytes,
                             device.compute_major,
                             device.compute_minor,
                             device.multiprocessors,
                             device.driver_version});
  }
  return probe;
}

std::unique_ptr<Engine> make_gpu_engine(const Network& network,
                                        const EngineOptions& options,
                                        const GpuOptions& gpu) {
  return std::make_unique<gpu::GpuEngine>(network, options, gpu);
}

}  // namespace rightsize
