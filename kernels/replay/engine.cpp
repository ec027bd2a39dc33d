#include "kernels/replay/engine.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <time.h>

namespace rightsize {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;

std::int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * ns_per_s + time.tv_nsec;
}

// An absolute deadline: a signal or a late wake-up cannot add up over restarts. Linux may wake a
// thread 50 us late to save power unless it asks for better, which is 2.5 % of 2 ms.
void sleep_until(std::int64_t deadline_ns) {
  constexpr unsigned long latest_ns = 1;
  prctl(PR_SET_TIMERSLACK, latest_ns);
  const timespec deadline{deadline_ns / ns_per_s, deadline_ns % ns_per_s};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(ns_per_s);
}

std::int64_t device_time_ns(const EngineOptions& options) {
  const double rate = options.replay_items_per_s;
  const double ns = options.batch / rate * static_cast<double>(ns_per_s);
  if (!(rate > 0) || !(ns < static_cast<double>(std::numeric_limits<std::int64_t>::max()) / 2)) {
    throw EngineError(
        fmt::format("replay engine: the rate is {} items/s; set replay_items_per_s to "
                    "the accelerator's measured or published rate",
                    rate));
  }
  return std::llround(ns);
}

// A step of decode takes one token per item.
std::size_t input_elements(const Network& network, const EngineOptions& options) {
  const auto each = options.phase == Phase::decode ? 1 : network.input.elements();
  return static_cast<std::size_t>(options.batch * each);
}

class ReplayEngine final : public Engine {
 public:
  ReplayEngine(const Network& network, const EngineOptions& options)
      : device_time_ns_(device_time_ns(options)),
        rate_(options.replay_items_per_s),
        hides_copy_(options.replay_hides_copy),
        images_(network.reads_tokens() ? 0 : input_elements(network, options)),
        tokens_(network.reads_tokens() ? input_elements(network, options) : 0),
        labels_(options.phase == Phase::decode
                    ? 0
                    : static_cast<std::size_t>(options.batch * network.labels_per_item())) {}

  StepResult step(const Batch& batch) override {
    if (batch.images.size() != images_.size() || batch.tokens.size() != tokens_.size() ||
        batch.labels.size() != labels_.size()) {
      throw EngineError(
          fmt::format("replay engine: got {} image values, {} tokens and {} labels, needs {}, {} "
                      "and {}; check the loader's crop or sequence, and its batch",
                      batch.images.size(),
                      batch.tokens.size(),
                      batch.labels.size(),
                      images_.size(),
                      tokens_.size(),
                      labels_.size()));
    }
    const auto start = now_ns();
    std::copy(batch.images.begin(), batch.images.end(), images_.begin());
    std::copy(batch.tokens.begin(), batch.tokens.end(), tokens_.begin());
    std::copy(batch.labels.begin(), batch.labels.end(), labels_.begin());
    const auto copied = now_ns();
    sleep_until((hides_copy_ ? start : copied) + device_time_ns_);
    StepResult result;
    result.copy_s = seconds(copied - start);
    result.compute_s = seconds(now_ns() - copied);
    return result;
  }

  // It computes nothing, so their values cannot matter.
  void load_parameters(std::span<const ParameterValues>) override {}

  [[nodiscard]] std::uint64_t memory_bytes() const override {
    return images_.size() * sizeof(float) +
           (tokens_.size() + labels_.size()) * sizeof(std::int32_t);
  }

  [[nodiscard]] std::map<std::string, std::string> software() const override {
    return {{"replay_items_per_s", fmt::format("{}", rate_)},
            {"replay copies", hides_copy_ ? "within a step's time" : "before a step"}};
  }

 private:
  std::int64_t device_time_ns_;
  double rate_;
  bool hides_copy_;
  std::vector<float> images_;
  std::vector<std::int32_t> tokens_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

std::unique_ptr<Engine> make_replay_engine(const Network& network, const EngineOptions& options) {
  if (options.batch < 1) {
    throw EngineError(fmt::format("replay engine: batch is {}; use at least 1", options.batch));
  }
  try {
    return std::make_unique<ReplayEngine>(network, options);
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("replay engine: no room for the staging buffer; use a smaller batch");
  } catch (const std::length_error&) {
    throw OutOfMemory("replay engine: no room for the staging buffer; use a smaller batch");
  }
}

}  // namespace rightsize
