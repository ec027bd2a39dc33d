#include "kernels/data/loader.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "kernels/data/sampler.h"
#include "kernels/stopwatch.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

LoaderOptions small_options(int threads) {
  LoaderOptions options;
  options.batch = 3;
  options.threads = threads;
  options.prefetch_batches = 2;
  options.resize = 40;
  options.crop = 32;
  return options;
}

}  // namespace

TEST_CASE("sampler: every epoch is a permutation, and epochs differ") {
  for (const std::size_t items : {1UL, 2UL, 3UL, 100UL, 1000UL, 4097UL}) {
    const Sampler sampler(items, {0, 1}, true, 7);
    std::set<std::size_t> seen;
    std::size_t same = 0;
    std::size_t in_place = 0;
    for (std::size_t i = 0; i < items; ++i) {
      seen.insert(sampler.item(3, i));
      same += sampler.item(3, i) == sampler.item(4, i) ? 1 : 0;
      in_place += sampler.item(3, i) == i ? 1 : 0;
    }
    CHECK(seen.size() == items);
    CHECK(*seen.rbegin() == items - 1);
    if (items >= 100) {  // one coincidence is expected of a random permutation, whatever its size
      CHECK(same < 10);
      CHECK(in_place < 10);
    }
  }
}

TEST_CASE("sampler: the shards together hold every item exactly once") {
  for (const bool shuffle : {false, true}) {
    std::multiset<std::size_t> seen;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const Sampler sampler(103, {rank, 4}, shuffle, 9);
      for (std::size_t i = 0; i < sampler.size(); ++i) {
        seen.insert(sampler.item(2, i));
      }
    }
    CHECK(seen.size() == 103);
    CHECK(std::set<std::size_t>(seen.begin(), seen.end()).size() == 103);
  }
  CHECK_THROWS_AS(Sampler(10, {4, 4}, true, 1), std::invalid_argument);
}

TEST_CASE("loader: the bytes are the same with one thread and with three") {
  const MemoryDataset dataset(10);
  Loader one(dataset, small_options(1));
  Loader three(dataset, small_options(3));
  for (int i = 0; i < 9; ++i) {
    const auto a = one.next();
    const auto b = three.next();
    REQUIRE(a.batch.images.size() == 3 * 3 * 32 * 32);
    CHECK(std::equal(a.batch.images.begin(), a.batch.images.end(), b.batch.images.begin()));
    CHECK(std::equal(a.batch.labels.begin(), a.batch.labels.end(), b.batch.labels.begin()));
    CHECK(a.epoch == static_cast<std::size_t>(i / 3));
    CHECK(a.last_of_epoch == (i % 3 == 2));
  }
}

TEST_CASE("loader: decode_only hands out pictures, no images, with the same labels in turn") {
  const MemoryDataset dataset(10);
  auto options = small_options(2);
  Loader images(dataset, options);
  options.decode_only = true;
  Loader pictures(dataset, options);
  for (int i = 0; i < 9; ++i) {
    const auto a = images.next();
    const auto b = pictures.next();
    CHECK(b.batch.images.empty());
    CHECK(a.batch.pictures.pictures.empty());
    REQUIRE(b.batch.pictures.pictures.size() == 3);
    CHECK(b.batch.pictures.pixels.size() <= 3 * picture_bytes(32, 3));
    CHECK(b.batch.pictures.pictures[0].target_width >= 40);
    CHECK(std::equal(a.batch.labels.begin(), a.batch.labels.end(), b.batch.labels.begin()));
  }
}

TEST_CASE("loader: another seed draws other crops and another order") {
  const MemoryDataset dataset(10);
  auto options = small_options(1);
  Loader first(dataset, options);
  options.seed = 2;
  Loader second(dataset, options);
  const auto a = first.next();
  const auto b = second.next();
  CHECK_FALSE(std::equal(a.batch.images.begin(), a.batch.images.end(), b.batch.images.begin()));
}

TEST_CASE("loader: never more than prefetch_batches are ready, and blocked time is counted") {
  const MemoryDataset dataset(60);
  Loader loader(dataset, small_options(3));
  std::size_t most = 0;
  for (int i = 0; i < 12; ++i) {
    for (int wait = 0; wait < 10; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      most = std::max(most, loader.ready_batches());
    }
    static_cast<void>(loader.next());
  }
  CHECK(most == 2);
  const auto totals = loader.totals();
  CHECK(totals.items >= 12 * 3);
  CHECK(totals.items <= (12 + 2 + 3) * 3);  // delivered, ready, and one in each worker's hands
  CHECK(totals.blocked_s > 0.05);
  CHECK(totals.decode_s > 0);
  CHECK(totals.cpu_s > 0);
  CHECK(totals.cpu_s < totals.decode_s + totals.augment_s + totals.read_s + totals.blocked_s + 0.1);
}

TEST_CASE("loader: a damaged item is rethrown by next() in its turn, with its name") {
  MemoryDataset dataset(12);
  dataset.items[7] = bytes_of({1, 2, 3, 4});
  auto options = small_options(3);
  options.shuffle = false;
  Loader loader(dataset, options);
  CHECK(loader.next().batch.labels[0] == 0);
  CHECK(loader.next().batch.labels[2] == 5);
  CHECK_THROWS_WITH_AS(static_cast<void>(loader.next()),
                       doctest::Contains("item 7: not a complete JPEG"),
                       DataError);
  CHECK_THROWS_AS(static_cast<void>(loader.next()), DataError);
}

TEST_CASE("loader: it shuts down at once from any state") {
  const MemoryDataset dataset(30);
  const Stopwatch watch;
  for (int taken = 0; taken < 4; ++taken) {
    for (const double rate : {0.0, 1000.0}) {  // at 1 kB/s a batch would take minutes
      auto options = small_options(3);
      options.read_bytes_per_s = rate;
      Loader loader(dataset, options);
      for (int i = 0; i < taken && rate == 0; ++i) {
        static_cast<void>(loader.next());
      }
    }
  }
  CHECK(watch.seconds() < 5);
}

TEST_CASE("loader: the token bucket holds the rate of reading") {
  const MemoryDataset dataset(30);
  auto options = small_options(2);
  options.read_bytes_per_s = 4e6;
  const Stopwatch watch;
  Loader loader(dataset, options);
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(loader.next());
  }
  const auto totals = loader.totals();
  const double seconds = watch.seconds();
  // Fifty milliseconds may have been saved up; what is in flight is not yet paid for.
  CHECK(static_cast<double>(totals.bytes_read) <= 4e6 * (seconds + 0.06));
  CHECK(static_cast<double>(totals.bytes_read) > 0.3 * 4e6 * seconds);
}

TEST_CASE("loader: impossible options are refused with their values") {
  const MemoryDataset dataset(5);
  auto options = small_options(1);
  options.batch = 6;
  CHECK_THROWS_WITH_AS(Loader(dataset, options),
                       doctest::Contains("5 items shared by 1 make no batch of 6"),
                       DataError);
  options = small_options(0);
  CHECK_THROWS_WITH_AS(Loader(dataset, options), doctest::Contains("threads 0"), DataError);
  options = small_options(1);
  options.crop = 64;
  CHECK_THROWS_WITH_AS(
      Loader(dataset, options), doctest::Contains("a crop of 64 pixels"), DataError);
}
