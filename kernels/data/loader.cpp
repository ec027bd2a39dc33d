#include "kernels/data/loader.h"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/data/item.h"
#include "kernels/data/ordered_buffer.h"
#include "kernels/data/sampler.h"
#include "kernels/data/token_bucket.h"
#include "kernels/stopwatch.h"

namespace rightsize {

namespace {

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Slot {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
  std::vector<std::uint8_t> pixels;  // decode_only: in the place of images
  std::vector<Picture> pictures;
  std::size_t ticket = 0;
};

LoaderOptions checked(const LoaderOptions& options) {
  if (options.batch < 1 || options.threads < 1 || options.prefetch_batches < 1) {
    throw DataError(
        fmt::format("batch {}, threads {}, prefetch_batches {}: each must be at least 1",
                    options.batch,
                    options.threads,
                    options.prefetch_batches));
  }
  return options;
}

Slot make_slot(const LoaderOptions& options) {
  const auto batch = static_cast<std::size_t>(options.batch);
  const auto side = static_cast<std::size_t>(options.crop);
  Slot slot;
  slot.labels.resize(batch);
  if (options.decode_only) {
    slot.pixels.reserve(batch * picture_bytes(options.crop, options.channels));
    slot.pictures.resize(batch);
  } else {
    slot.images.resize(batch * static_cast<std::size_t>(options.channels) * side * side);
  }
  return slot;
}

}  // namespace

struct Loader::State {
  const Dataset& dataset;
  LoaderOptions options;
  Sampler sampler;
  std::size_t batches = 0;  // per epoch; equal on all ranks
  TokenBucket bucket;
  OrderedBuffer<Slot> buffer;
  mutable std::mutex totals_mutex;
  LoaderTotals totals;
  std::vector<std::jthread> workers;  // last: they stop before what they use goes

  State(const Dataset& source, const LoaderOptions& given)
      : dataset(source),
        options(checked(given)),
        sampler(source.size(), {given.rank, given.ranks}, given.shuffle, given.seed),
        batches(source.size() / given.ranks / static_cast<std::size_t>(given.batch)),
        bucket(given.read_bytes_per_s),
        buffer(static_cast<std::size_t>(given.prefetch_batches),
               static_cast<std::size_t>(given.threads),
               make_slot(given)) {
    if (batches == 0) {
      throw DataError(
          fmt::format("{} items shared by {} make no batch of {}; take a smaller batch or "
                      "a larger dataset",
                      source.size(),
                      given.ranks,
                      given.batch));
    }
    ItemMaker(
        given.resize, given.crop, given.channels);  // throws here what every worker would throw
    for (int i = 0; i < given.threads; ++i) {
      workers.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
  }

  ~State() {
    for (auto& worker : workers) {
      worker.request_stop();  // all at once; their destructors join one after the other
    }
  }

  void work(const std::stop_token& stop) {
    ItemMaker maker(options.resize, options.crop, options.channels);
    std::vector<std::byte> storage;
    double cpu = 0;
    while (const auto claim = buffer.claim(stop)) {
      LoaderTotals mine;
      std::exception_ptr error;
      try {
        fill(*claim->slot, claim->ticket, maker, storage, mine, stop);
      } catch (...) {
        error = std::current_exception();
      }
      const Stopwatch watch;
      const bool published = buffer.publish(*claim, error, stop);
      mine.blocked_s = watch.seconds();
      mine.cpu_s = thread_cpu_seconds() - cpu;
      cpu += mine.cpu_s;
      add(mine);
      if (error || !published) {
        return;
      }
    }
  }

  void fill(Slot& slot,
            std::size_t ticket,
            ItemMaker& maker,
            std::vector<std::byte>& storage,
            LoaderTotals& mine,
            const std::stop_token& stop) {
    const auto batch = slot.labels.size();
    const auto epoch = ticket / batches;
    slot.ticket = ticket;
    slot.pixels.clear();
    for (std::size_t i = 0; i < batch && !stop.stop_requested(); ++i) {
      const auto index = sampler.item(epoch, ticket % batches * batch + i);
      const Stopwatch watch;
      const auto sample = dataset.read(index, storage);
      bucket.take(sample.bytes.size(), stop);
      mine.read_s += watch.seconds();
      mine.bytes_read += sample.bytes.size();
      const auto seconds =
          make(maker, sample, {options.augment, options.seed, epoch, index}, slot, i);
      mine.decode_s += seconds.decode;
      mine.augment_s += seconds.augment;
      slot.labels[i] = sample.label;
      ++mine.items;
    }
  }

  ItemSeconds make(
      ItemMaker& maker, const Sample& sample, const Draw& draw, Slot& slot, std::size_t i) const {
    const auto item_floats = slot.images.size() / slot.labels.size();
    try {
      return options.decode_only
                 ? maker.make_picture(sample, draw, slot.pixels, slot.pictures[i])
                 : maker.make(
                       sample, draw, std::span(slot.images).subspan(i * item_floats, item_floats));
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", dataset.where(draw.item), error.what()));
    }
  }

  void add(const LoaderTotals& mine) {
    const std::lock_guard lock(totals_mutex);
    totals.add(mine);
  }
};

Loader::Loader(const Dataset& dataset, const LoaderOptions& options)
    : state_(std::make_unique<State>(dataset, options)) {}

Loader::~Loader() = default;  // the threads are told to stop and joined by std::jthread

Loader::Item Loader::next() {
  const auto& slot = state_->buffer.take();
  return {{slot.images, slot.labels, {}, {slot.pixels, slot.pictures}},
          slot.ticket / state_->batches,
          slot.ticket % state_->batches + 1 == state_->batches};
}

std::size_t Loader::ready_batches() const {
  return state_->buffer.ready();
}

LoaderTotals Loader::totals() const {
  const std::lock_guard lock(state_->totals_mutex);
  return state_->totals;
}

}  // namespace rightsize
