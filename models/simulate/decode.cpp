#include "models/simulate/decode.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>
#include <vector>

#include "models/simulate/random.h"
#include "models/simulate/sequence_lengths.h"
#include "profiler/quantile.h"

namespace rightsize {
namespace {

using simulate::SequenceLengths;

struct Waiting {
  double came = 0;
  SequenceLengths lengths;
  bool counted = false;
};

struct Sequence {
  double first_token_at = 0;
  std::int64_t last_iteration = 0;
  SequenceLengths lengths;
  bool counted = false;

  [[nodiscard]] bool operator>(const Sequence& other) const {
    return last_iteration > other.last_iteration;
  }
};

// NaN where nothing was counted: of sequences of one token none writes another.
double counted_quantile(const std::vector<double>& sorted, double share) {
  return sorted.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : quantile_of_sorted(sorted, share);
}

// In the order in which they came, and in which they leave.
struct Playing {
  std::deque<Waiting> waiting;
  std::priority_queue<Sequence, std::vector<Sequence>, std::greater<>> flying;
  std::size_t let_in = 0;  // of those waiting, at the head of the iteration under way
  bool busy = false;       // an iteration is under way
  double ends_at = 0;      // that
  std::int64_t iteration = 0;
  double cached = 0;  // tokens, of those that fly
  double kept = 0;    // for them, to their ends

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
        lengths_(load, work_.prompt_curve, options),
        most_(static_cast<std::size_t>(sequences_at_once(work_, gpu_))),
        room_(static_cast<double>(sequences_in_memory(work_, gpu_, load.tokens())) * load.tokens()),
        warming_(options.sequences / 10),
        random_(options.seed),
        replicas_(static_cast<std::size_t>(std::max(1, replicas.count))) {
    assert(load.sequences_per_s > 0 && room_ > 0);
  }

  PlayedDecode play(int sequences) {
    double now = 0;
    for (int i = 0; i < sequences + warming_; ++i) {
      if (load_.burst <= 1 || random_.uniform() * load_.burst < 1) {  // the first of a burst
        begin_idle(now);
        now += random_.exponential(load_.burst / load_.sequences_per_s);
        for (auto& replica : replicas_) {
          iterate_until(now, replica);
        }
      }
      if (i == warming_) {
        counted_from_ = now;
        area_ = 0;
      }
      arrive({now, lengths_.draw(random_), i >= warming_});
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
    replicas_[turn_++ % replicas_.size()].waiting.push_back(sequence);
  }

  // Once a burst is there.
  void begin_idle(double now) {
    for (auto& replica : replicas_) {
      if (!replica.busy && replica.present() > 0) {
        begin(now, replica);
      }
    }
  }

  void iterate_until(double now, Playing& replica) {
    while (replica.busy && replica.ends_at <= now) {
      end(replica);
      if (replica.present() > 0) {
        begin(replica.ends_at, replica);
      }
    }
  }

  // Those waiting that fit, in their order; one that fits nowhere is let in alone.
  void let_in(Playing& replica) {
    replica.let_in = 0;
    for (const auto& next : replica.waiting) {
      const bool none = replica.flying.empty() && replica.let_in == 0;
      const double kept = replica.kept + next.lengths.tokens();
      if (!none && (kept > room_ || replica.flying.size() + replica.let_in >= most_)) {
        break;
      }
      replica.kept = kept;
      replica.cached += static_cast<double>(next.lengths.prompt_tokens);
      ++replica.let_in;
    }
  }

  void begin(double at, Playing& replica) {
    let_in(replica);
    const auto together = static_cast<double>(replica.flying.size() + replica.let_in);
    const double step_s = decode_step_seconds(work_, gpu_, together, replica.cached / together) +
                          prompts_of(replica, together);
    area_ += together * step_s;
    replica.busy = true;
    replica.ends_at = at + step_s;
  }

  // Those let in, of which some are longer than others.
  double prompts_of(const Playing& replica, double together) const {
    if (replica.let_in == 0) {
      return 0;
    }
    double taken = 0;
    double tokens = 0;
    for (std::size_t i = 0; i < replica.let_in; ++i) {
      taken += replica.waiting[i].lengths.prompt_work;
      tokens += static_cast<double>(replica.waiting[i].lengths.prompt_tokens);
    }
    const auto prompts = static_cast<double>(replica.let_in);
    auto work = work_;
    work.prompt_flops *= taken / prompts;
    work.prompt_attention_flops *= taken / prompts;
    auto load = load_;
    const double computed = tokens / prompts * load_.computed_tokens() / load_.prompt_tokens;
    load.prompt_tokens = static_cast<int>(std::lround(std::max(1.0, computed)));
    load.cached_tokens = 0;
    return prompts_seconds(work, gpu_, load, together, prompts);
  }

  void end(Playing& replica) {
    const double now = replica.ends_at;
    replica.busy = false;
    for (std::size_t i = 0; i < replica.let_in; ++i) {
      const auto [came, lengths, counted] = replica.waiting.front();
      replica.waiting.pop_front();
      replica.flying.push({now, replica.iteration + lengths.output_tokens - 1, lengths, counted});
      if (counted) {
        first_tokens_.push_back(now - came);
      }
    }
    auto& flying = replica.flying;
    replica.cached += static_cast<double>(flying.size());
    while (!flying.empty() && flying.top().last_iteration <= replica.iteration) {
      leave(now, replica);
    }
    ++replica.iteration;
  }

  void leave(double now, Playing& replica) {
    const auto& done = replica.flying.top();
    const auto written = done.lengths.output_tokens;
    if (done.counted && written > 1) {
      tokens_.push_back((now - done.first_token_at) / static_cast<double>(written - 1));
    }
    replica.kept -= done.lengths.tokens();
    replica.cached -= done.lengths.tokens();
    replica.flying.pop();
  }

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  const DecodeLoad& load_;
  simulate::LengthsDrawn lengths_;
  std::size_t most_ = 0;
  double room_ = 0;  // tokens
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
