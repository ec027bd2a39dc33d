#include "kernels/data/preprocess.h"

#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/data/image_writer.h"
#include "kernels/data/jpeg.h"
#include "kernels/data/ordered_buffer.h"
#include "kernels/data/resize.h"
#include "kernels/data/token_bucket.h"
#include "kernels/stopwatch.h"

namespace rightsize {

namespace {

struct Slot {
  std::vector<std::byte> bytes;  // as they will be stored
  std::int32_t label = 0;
  std::size_t index = 0;
};

}  // namespace

struct PreprocessJob::State {
  const Dataset& source;
  PreprocessOptions options;
  ImageWriter writer;
  TokenBucket bucket;
  std::size_t position = 0;  // of the next item; wraps round
  mutable std::mutex totals_mutex;
  LoaderTotals totals;

  State(const Dataset& from, const PreprocessOptions& given)
      : source(from),
        options(given),
        writer(given.output, given.output_path),
        bucket(given.read_bytes_per_s) {
    if (given.threads < 1 || given.resize < 1) {
      throw DataError(fmt::format(
          "threads {}, resize {}: each must be at least 1", given.threads, given.resize));
    }
  }

  void work(OrderedBuffer<Slot>& buffer, const std::stop_token& stop) {
    ImageConverter converter(options.output, options.resize);
    std::vector<std::byte> storage;
    while (const auto claim = buffer.claim(stop)) {
      LoaderTotals mine;
      std::exception_ptr error;
      try {
        convert(*claim->slot, claim->ticket, converter, storage, mine, stop);
      } catch (...) {
        error = std::current_exception();
      }
      add(mine);
      if (!buffer.publish(*claim, error, stop) || error) {
        return;
      }
    }
  }

  void convert(Slot& slot,
               std::size_t ticket,
               ImageConverter& converter,
               std::vector<std::byte>& storage,
               LoaderTotals& mine,
               const std::stop_token& stop) {
    slot.index = (position + ticket) % source.size();
    const Stopwatch watch;
    const auto sample = source.read(slot.index, storage);
    bucket.take(sample.bytes.size(), stop);
    mine.read_s = watch.seconds();
    mine.bytes_read = sample.bytes.size();
    mine.items = 1;
    slot.label = sample.label;
    try {
      const auto seconds = converter.convert(sample, slot.bytes);
      mine.decode_s = seconds.decode;
      mine.augment_s = seconds.augment;
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", source.where(slot.index), error.what()));
    }
  }

  void add(const LoaderTotals& mine) {
    const std::lock_guard lock(totals_mutex);
    totals.add(mine);
  }

  void write(const Slot& slot) {
    const Stopwatch watch;
    const auto name = std::filesystem::path(source.where(slot.index)).filename().string();
    writer.put(slot.bytes, slot.label, options.resize, name);
    LoaderTotals mine;
    mine.blocked_s = watch.seconds();
    add(mine);
  }
};

PreprocessJob::PreprocessJob(const Dataset& source, const PreprocessOptions& options)
    : state_(std::make_unique<State>(source, options)) {}

PreprocessJob::~PreprocessJob() = default;

std::size_t PreprocessJob::run(std::size_t count) {
  auto& state = *state_;
  const auto threads = static_cast<std::size_t>(state.options.threads);
  OrderedBuffer<Slot> buffer(2 * threads, threads, Slot{});
  buffer.set_end(count);
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < threads; ++i) {
    workers.emplace_back([&](const std::stop_token& stop) { state.work(buffer, stop); });
  }
  for (std::size_t i = 0; i < count; ++i) {
    state.write(buffer.take());
  }
  const Stopwatch watch;
  state.writer.sync();
  LoaderTotals mine;
  mine.blocked_s = watch.seconds();
  state.add(mine);
  state.position = (state.position + count) % state.source.size();
  return count;
}

LoaderTotals PreprocessJob::totals() const {
  const std::lock_guard lock(state_->totals_mutex);
  return state_->totals;
}

std::uint64_t PreprocessJob::bytes_written() const {
  return state_->writer.bytes_written();
}

}  // namespace rightsize
