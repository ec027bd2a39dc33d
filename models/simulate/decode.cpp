#include "models/simulate/decode.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <numeric>
#include <vector>

#include "models/simulate/random.h"

namespace rightsize {
namespace {

struct Sequence {
  double first_token_at = 0;
  std::int64_t last_iteration = 0;
  bool counted = false;
};

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

double mean(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

class Player {
 public:
  Player(const DecodeWork& work,
         const DecodeGpu& gpu,
         const DecodeLoad& load,
         const DecodeSimulationOptions& options)
      : work_(work),
        gpu_(gpu),
        load_(load),
        context_(mean_context(load)),
        prompt_s_(prompt_seconds(work, gpu, load)),
        most_(static_cast<std::size_t>(
            sequences_that_fit(work, gpu, load.prompt_tokens + load.output_tokens))),
        warming_(options.sequences / 10),
        all_(options.sequences + warming_),
        random_(options.seed) {
    assert(load.sequences_per_s > 0 && most_ > 0);
  }

  PlayedDecode play() {
    next_ = random_.exponential(1 / load_.sequences_per_s);
    while (arrived_ < all_) {
      arrive();
      if (waiting_.empty() && flying_.empty()) {
        now_ = next_;
        continue;
      }
      iterate();
    }
    PlayedDecode played;
    played.sequences_in_flight = area_ / (now_ - counted_from_);
    played.first_token_mean_s = mean(first_tokens_);
    played.first_token_p50_s = quantile(first_tokens_, 0.50);
    played.first_token_p95_s = quantile(first_tokens_, 0.95);
    played.first_token_p99_s = quantile(first_tokens_, 0.99);
    played.token_mean_s = mean(tokens_);
    played.token_p50_s = quantile(tokens_, 0.50);
    played.token_p95_s = quantile(tokens_, 0.95);
    played.token_p99_s = quantile(tokens_, 0.99);
    return played;
  }

 private:
  void arrive() {
    for (; next_ <= now_; next_ += random_.exponential(1 / load_.sequences_per_s)) {
      waiting_.push_back({next_, arrived_ >= warming_});
      if (arrived_ == warming_) {
        counted_from_ = now_;
        area_ = 0;
      }
      ++arrived_;
    }
  }

  void iterate() {
    const auto let_in = std::min(waiting_.size(), most_ - flying_.size());
    const auto together = flying_.size() + let_in;
    const double step_s = static_cast<double>(let_in) * prompt_s_ +
                          decode_step_seconds(work_, gpu_, static_cast<double>(together), context_);
    area_ += static_cast<double>(together) * step_s;
    now_ += step_s;
    for (std::size_t i = 0; i < let_in; ++i) {
      const auto [came, counted] = waiting_.front();
      waiting_.pop_front();
      flying_.push_back({now_, iteration_ + load_.output_tokens - 1, counted});
      if (counted) {
        first_tokens_.push_back(now_ - came);
      }
    }
    while (!flying_.empty() && flying_.front().last_iteration <= iteration_) {
      const auto& done = flying_.front();
      if (done.counted && load_.output_tokens > 1) {
        tokens_.push_back((now_ - done.first_token_at) / (load_.output_tokens - 1));
      }
      flying_.pop_front();
    }
    ++iteration_;
  }

  struct Waiting {
    double came = 0;
    bool counted = false;
  };

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  const DecodeLoad& load_;
  double context_ = 0;
  double prompt_s_ = 0;
  std::size_t most_ = 0;
  int warming_ = 0;
  int all_ = 0;
  simulate::Random random_;
  double now_ = 0;
  double next_ = 0;
  double counted_from_ = 0;
  double area_ = 0;
  int arrived_ = 0;
  std::int64_t iteration_ = 0;
  std::deque<Waiting> waiting_;
  std::deque<Sequence> flying_;  // in the order in which they came, and leave
  std::vector<double> first_tokens_;
  std::vector<double> tokens_;
};

}  // namespace

PlayedDecode simulate_decode(const DecodeWork& work,
                             const DecodeGpu& gpu,
                             const DecodeLoad& load,
                             const DecodeSimulationOptions& options) {
  return Player(work, gpu, load, options).play();
}

}  // namespace rightsize
