#include "models/simulate/decode.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <vector>

#include "models/simulate/random.h"
#include "profiler/quantile.h"

namespace rightsize {
namespace {

struct Sequence {
  double first_token_at = 0;
  std::int64_t last_iteration = 0;
  bool counted = false;
};

// NaN where nothing was counted: of sequences of one token none writes another.
double counted_quantile(const std::vector<double>& sorted, double share) {
  return sorted.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : quantile_of_sorted(sorted, share);
}

struct Waiting {
  double came = 0;
  bool counted = false;
};

// In the order in which they came, and leave.
struct Playing {
  std::deque<Waiting> waiting;
  std::deque<Sequence> flying;
  std::size_t let_in = 0;  // of those waiting, at the head of the iteration under way
  double ends_at = 0;      // the iteration under way
  std::int64_t iteration = 0;

  [[nodiscard]] std::size_t present() const { return waiting.size() + flying.size(); }
};

class Player {
 public:
  Player(const DecodeReplicas& replicas,
         const DecodeLoad& load,
         const DecodeSimulationOptions& options)
      : work_(replicas.work),
        gpu_(replicas.gpu),
        load_(load),
        context_(mean_context(load)),
        most_(static_cast<std::size_t>(sequences_that_fit(work_, gpu_, load.tokens()))),
        warming_(options.sequences / 10),
        random_(options.seed),
        replicas_(static_cast<std::size_t>(std::max(1, replicas.count))) {
    assert(load.sequences_per_s > 0 && most_ > 0);
  }

  PlayedDecode play(int sequences) {
    double now = 0;
    for (int i = 0; i < sequences + warming_; ++i) {
      now += random_.exponential(1 / load_.sequences_per_s);
      for (auto& replica : replicas_) {
        iterate_until(now, replica);
      }
      if (i == warming_) {
        counted_from_ = now;
        area_ = 0;
      }
      arrive({now, i >= warming_});
    }
    PlayedDecode played;
    played.sequences_in_flight =
        area_ / (now - counted_from_) / static_cast<double>(replicas_.size());
    std::sort(first_tokens_.begin(), first_tokens_.end());
    played.first_token_p50_s = counted_quantile(first_tokens_, 0.50);
    played.first_token_p95_s = counted_quantile(first_tokens_, 0.95);
    played.first_token_p99_s = counted_quantile(first_tokens_, 0.99);
    std::sort(tokens_.begin(), tokens_.end());
    played.token_p50_s = counted_quantile(tokens_, 0.50);
    played.token_p95_s = counted_quantile(tokens_, 0.95);
    played.token_p99_s = counted_quantile(tokens_, 0.99);
    return played;
  }

 private:
  void arrive(const Waiting& sequence) {
    auto& chosen = replicas_[turn_++ % replicas_.size()];
    chosen.waiting.push_back(sequence);
    if (chosen.present() == 1) {
      begin(sequence.came, chosen);
    }
  }

  void iterate_until(double now, Playing& replica) {
    while (replica.present() > 0 && replica.ends_at <= now) {
      end(replica);
      if (replica.present() > 0) {
        begin(replica.ends_at, replica);
      }
    }
  }

  void begin(double at, Playing& replica) {
    replica.let_in = std::min(replica.waiting.size(), most_ - replica.flying.size());
    const auto together = static_cast<double>(replica.flying.size() + replica.let_in);
    const auto prompts = static_cast<double>(replica.let_in);
    const double step_s = decode_step_seconds(work_, gpu_, together, context_) +
                          prompts_seconds(work_, gpu_, load_, together, prompts);
    area_ += together * step_s;
    replica.ends_at = at + step_s;
  }

  void end(Playing& replica) {
    const double now = replica.ends_at;
    for (std::size_t i = 0; i < replica.let_in; ++i) {
      const auto [came, counted] = replica.waiting.front();
      replica.waiting.pop_front();
      replica.flying.push_back({now, replica.iteration + load_.output_tokens - 1, counted});
      if (counted) {
        first_tokens_.push_back(now - came);
      }
    }
    auto& flying = replica.flying;
    while (!flying.empty() && flying.front().last_iteration <= replica.iteration) {
      const auto& done = flying.front();
      if (done.counted && load_.output_tokens > 1) {
        tokens_.push_back((now - done.first_token_at) / (load_.output_tokens - 1));
      }
      flying.pop_front();
    }
    ++replica.iteration;
  }

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  const DecodeLoad& load_;
  double context_ = 0;
  std::size_t most_ = 0;
  int warming_ = 0;
  simulate::Random random_;
  std::vector<Playing> replicas_;
  std::size_t turn_ = 0;
  double counted_from_ = 0;
  double area_ = 0;  // sequences x seconds, an iteration's at its head
  std::vector<double> first_tokens_;
  std::vector<double> tokens_;
};

}  // namespace

PlayedDecode simulate_decode(const DecodeReplicas& replicas,
                             const DecodeLoad& load,
                             const DecodeSimulationOptions& options) {
  return Player(replicas, load, options).play(options.sequences);
}

}  // namespace rightsize
