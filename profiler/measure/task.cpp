#include "profiler/measure/task.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "kernels/data/preprocess.h"
#include "kernels/runnable.h"
#include "kernels/work.h"
#include "profiler/command/command_task.h"
#include "profiler/measure/built_in_engine.h"
#include "profiler/measure/synthetic_batch.h"
#include "profiler/measure/token_batches.h"
#include "profiler/measure/worker.h"
#include "profiler/serving/serving_task.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One batch of noise, used again and again: the engine alone.
class SyntheticTask : public Task {
 public:
  explicit SyntheticTask(const RunSpec& spec)
      : spec_(spec),
        network_(network_of(spec)),
        engine_(make_built_in_engine(spec, network_)),
        batch_(network_, spec.workload, spec.seed) {}

  [[nodiscard]] TaskInfo info() const override {
    return describe_engine(*engine_, network_, spec_);
  }

  TaskStep step() override {
    TaskStep step;
    step.result = engine_->step(batch_.view());
    step.items = static_cast<std::size_t>(spec_.workload.items_per_step());
    return step;
  }

 private:
  RunSpec spec_;
  Network network_;
  std::unique_ptr<Engine> engine_;
  SyntheticBatch batch_;
};

// A token file and the engine.
class TokenTask : public Task {
 public:
  explicit TokenTask(const RunSpec& spec)
      : spec_(spec),
        network_(network_of(spec)),
        batches_(network_, spec.workload, spec.seed),
        engine_(make_built_in_engine(spec, network_)) {}

  [[nodiscard]] TaskInfo info() const override {
    auto info = describe_engine(*engine_, network_, spec_);
    info.dataset_items = batches_.dataset().size();
    info.dataset_bytes = batches_.dataset().stored_bytes();
    return info;
  }

  TaskStep step() override {
    const double begin_s = now_s();
    const auto item = batches_.next();
    TaskStep step;
    step.wait_s = now_s() - begin_s;
    step.result = engine_->step(item.batch);
    step.items = static_cast<std::size_t>(spec_.workload.items_per_step());
    step.last_of_epoch = item.last_of_epoch;
    return step;
  }

  [[nodiscard]] LoaderTotals totals() const override { return batches_.totals(); }

 private:
  RunSpec spec_;
  Network network_;
  TokenBatches batches_;
  std::unique_ptr<Engine> engine_;
};

Network image_network_of(const RunSpec& spec) {
  auto network = network_of(spec);
  if (network.hears()) {
    throw DataError(
        fmt::format("{} holds pictures, and {} is handed the spectra of sounds; use "
                    "data = synthetic",
                    spec.workload.data_path,
                    network.name));
  }
  if (labels_positions(network)) {
    throw DataError(
        fmt::format("{} has a label for each picture, and {} is told what is at each of {} "
                    "positions; use data = synthetic",
                    spec.workload.data_path,
                    network.name,
                    network.labels_per_item()));
  }
  if (const auto reason = why_not_read(network, spec.workload.data); !reason.empty()) {
    throw DataError(reason);
  }
  if (network.reads_tokens()) {
    throw DataError(
        fmt::format("{} holds pictures, and {} reads tokens; choose another network, or "
                    "data = tokens",
                    spec.workload.data_path,
                    network.name));
  }
  return network;
}

// The whole path: disk, decode, augment, engine.
class DatasetTask : public Task {
 public:
  explicit DatasetTask(const RunSpec& spec)
      : spec_(spec),
        network_(image_network_of(spec)),
        dataset_(
            open_dataset(spec.workload.data,
                         spec.workload.data_path,
                         spec.workload.shuffle ? AccessOrder::random : AccessOrder::sequential)),
        engine_(make_built_in_engine(spec, network_)) {}

  [[nodiscard]] TaskInfo info() const override {
    auto info = describe_engine(*engine_, network_, spec_);
    info.dataset_items = dataset_->size();
    info.dataset_bytes = dataset_->stored_bytes();
    info.loader_threads = loader_threads_of(spec_);
    return info;
  }

  TaskStep step() override {
    if (!loader_) {
      start();  // with the first step, so that prefetching counts as part of the cold epoch
    }
    const double begin_s = now_s();
    const auto item = loader_->next();
    TaskStep step;
    step.wait_s = now_s() - begin_s;
    step.result = engine_->step(item.batch);
    step.items = item.batch.labels.size();
    step.last_of_epoch = item.last_of_epoch;
    return step;
  }

  [[nodiscard]] LoaderTotals totals() const override {
    return loader_ ? loader_->totals() : LoaderTotals{};
  }

 private:
  void start() {
    LoaderOptions options;
    options.batch = spec_.workload.items_per_step();
    options.threads = loader_threads_of(spec_);
    options.prefetch_batches = spec_.workload.prefetch_batches;
    options.crop = static_cast<int>(network_.input.h);
    options.resize = static_cast<int>(network_.input.h * 256 / 224);  // ImageNet's usual ratio
    options.channels = static_cast<int>(network_.input.c);
    options.decode_only = spec_.workload.preprocess_on == PreprocessOn::gpu;
    options.augment = in_training_mode(spec_.workload.phase);
    options.shuffle = spec_.workload.shuffle;
    options.seed = spec_.seed;
    options.read_bytes_per_s = spec_.read_bytes_per_s;
    loader_ = std::make_unique<Loader>(*dataset_, options);
  }

  RunSpec spec_;
  Network network_;
  std::unique_ptr<Dataset> dataset_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Loader> loader_;
};

// Beside the data, because the disk limit is set on its device; removed with the object.
class OutputFolder {
 public:
  explicit OutputFolder(const std::string& data_path)
      : path_(fs::absolute(data_path).parent_path() / fmt::format("rightsize.{}.out", getpid())) {
    fs::create_directories(path_);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class PreprocessTask : public Task {
 public:
  explicit PreprocessTask(const RunSpec& spec)
      : spec_(spec),
        dataset_(open_dataset(spec.workload.data, spec.workload.data_path)),
        output_(spec.workload.data_path) {
    PreprocessOptions options;
    options.output = spec.workload.output;
    options.output_path = (output_.path() / "output").string();
    options.threads = loader_threads_of(spec);
    options.read_bytes_per_s = spec.read_bytes_per_s;
    job_ = std::make_unique<PreprocessJob>(*dataset_, options);
  }

  [[nodiscard]] TaskInfo info() const override {
    TaskInfo info;
    info.dataset_items = dataset_->size();
    info.dataset_bytes = dataset_->stored_bytes();
    info.loader_threads = loader_threads_of(spec_);
    return info;
  }

  TaskStep step() override {
    const auto left = dataset_->size() - done_ % dataset_->size();
    const auto count = std::min(left, static_cast<std::size_t>(spec_.workload.batch));
    TaskStep step;
    step.items = job_->run(count);
    done_ += step.items;
    step.last_of_epoch = step.items > 0 && done_ % dataset_->size() == 0;
    return step;
  }

  [[nodiscard]] LoaderTotals totals() const override { return job_->totals(); }
  [[nodiscard]] bool writes() const override { return true; }

 private:
  RunSpec spec_;
  std::unique_ptr<Dataset> dataset_;
  OutputFolder output_;
  std::unique_ptr<PreprocessJob> job_;
  std::size_t done_ = 0;
};

}  // namespace

std::unique_ptr<Task> make_task(const RunSpec& spec) {
  if (!spec.command.empty()) {
    return make_command_task(spec);
  }
  if (spec.workload.requests) {
    return make_serving_task(spec);
  }
  if (spec.workload.phase == Phase::preprocess) {
    return std::make_unique<PreprocessTask>(spec);
  }
  if (spec.workload.data == DataFormat::synthetic) {
    return std::make_unique<SyntheticTask>(spec);
  }
  if (spec.workload.data == DataFormat::tokens) {
    return std::make_unique<TokenTask>(spec);
  }
  return std::make_unique<DatasetTask>(spec);
}

std::string why_not_runnable(const RunSpec& spec) {
  const auto& work = spec.workload;
  if (!spec.command.empty()) {
    return "";
  }
  const bool reads = work.data != DataFormat::synthetic && !work.data_path.empty();
  if (std::error_code error; reads && !fs::exists(work.data_path, error)) {
    return fmt::format("{}: no such file or folder", work.data_path);
  }
  if (work.phase == Phase::preprocess) {
    return "";
  }
  try {
    const bool of_pictures = reads && work.data != DataFormat::tokens;
    const auto network = of_pictures ? image_network_of(spec) : network_of(spec);
    check_runnable(work.engine, network, engine_options(spec));
    return why_not_read(network, work.data);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

int run_worker(int in_fd, int out_fd) {
  return run_worker(in_fd, out_fd, make_task);
}

}  // namespace rightsize
