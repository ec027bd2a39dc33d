// The prefetching loader: read -> decode -> resize -> crop/flip/normalise on worker threads, whole
// minibatches through a bounded buffer. This is the data path whose cost rightsize measures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/data/dataset.h"
#include "kernels/engine.h"

namespace rightsize {

struct LoaderOptions {
  int batch = 32;
  int threads = 2;           // worker threads; each makes whole minibatches
  int prefetch_batches = 4;  // finished minibatches that may wait; bounds memory
  int resize = 256;          // shorter side after decode
  int crop = 224;            // the network's input height and width
  int channels = 3;          // 1: grey pictures
  bool decode_only = false;  // batches hold pictures that the engine is to preprocess, not images
  bool augment = true;       // training: random crop and flip; otherwise the centre crop
  bool shuffle = true;       // a fresh permutation each epoch
  std::uint64_t seed = 1;
  std::size_t rank = 0;  // this process reads items of its shard of `ranks`
  std::size_t ranks = 1;
  // Token bucket on read(): stands for a disk limit where no cgroup can impose one. 0 = none.
  double read_bytes_per_s = 0;
};

// Sums over all worker threads since construction, brought up to date batch by batch; wall seconds.
struct LoaderTotals {
  std::uint64_t items = 0;
  std::uint64_t bytes_read = 0;
  double read_s = 0;
  double decode_s = 0;   // JPEG to RGB; 0 for raw datums
  double augment_s = 0;  // resize, crop, flip, normalise; decode_only: packing
  double blocked_s = 0;  // waiting for room in the buffer
  double cpu_s = 0;      // CPU time of all of that: the cost that does not depend on the neighbours

  void add(const LoaderTotals& other) {
    items += other.items;
    bytes_read += other.bytes_read;
    read_s += other.read_s;
    decode_s += other.decode_s;
    augment_s += other.augment_s;
    blocked_s += other.blocked_s;
    cpu_s += other.cpu_s;
  }
};

class Loader {
 public:
  // Starts the threads. `dataset` must outlive the loader.
  Loader(const Dataset& dataset, const LoaderOptions& options);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader();  // stops and joins the threads

  struct Item {
    Batch batch;            // valid until the next call of next()
    std::size_t epoch = 0;  // epoch of the batch, from 0
    bool last_of_epoch = false;
  };

  // Blocks for the next minibatch, in the sampler's order. Epochs follow each other without end;
  // the incomplete last batch of an epoch is dropped. Rethrows what a worker threw (DataError).
  [[nodiscard]] Item next();

  [[nodiscard]] std::size_t ready_batches() const;  // finished and waiting now
  [[nodiscard]] LoaderTotals totals() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rightsize
