#include "kernels/parallel/exchange.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/engine.h"
#include "kernels/parallel/barrier.h"
#include "kernels/parallel/compressed_exchange.h"

namespace rightsize {
namespace {

void add(std::span<float> to, std::span<const float> from) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += from[i];
  }
}

void scale(std::span<float> values, float factor) {
  for (auto& value : values) {
    value *= factor;
  }
}

std::span<float> part(std::span<float> buffer, const Share& share) {
  return buffer.subspan(share.begin, share.end - share.begin);
}

// What all three have: the ranks' buffers, and the barrier after which they may be read.
class Ranks : public GradientExchange {
 public:
  explicit Ranks(std::size_t count) : count_(count), buffers_(count), barrier_(count) {}

  void average(std::size_t rank, const GradientBuffers& mine) final {
    buffers_[rank] = &mine;
    barrier_.wait();
    exchange(rank, mine);
    barrier_.wait();  // nobody changes what another still reads
  }
  void abandon() final { barrier_.break_up(); }

 protected:
  virtual void exchange(std::size_t rank, const GradientBuffers& mine) = 0;

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] float share() const { return 1.0F / static_cast<float>(count_); }
  [[nodiscard]] const GradientBuffers& of(std::size_t rank) const { return *buffers_[rank]; }
  [[nodiscard]] Share own(std::size_t rank, std::span<const float> buffer) const {
    return share_of(buffer.size(), rank, count_);
  }
  void wait() { barrier_.wait(); }

 private:
  std::size_t count_;
  std::vector<const GradientBuffers*> buffers_;
  Barrier barrier_;
};

class LocalExchange final : public Ranks {
 public:
  explicit LocalExchange(std::size_t ranks) : Ranks(ranks), staging_(ranks) {}

  void reserve(std::size_t rank, const GradientBuffers& mine) override {
    std::size_t total = 0;
    for (const auto buffer : mine) {
      total += buffer.size();
    }
    staging_[rank].resize(total);
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return staging_.size() * staging_[0].size() * sizeof(float);
  }

 private:
  void exchange(std::size_t rank, const GradientBuffers& mine) override {
    copy_in(mine, staging_[rank]);
    wait();
    if (rank == 0) {
      for (std::size_t other = 1; other < count(); ++other) {
        add(staging_[0], staging_[other]);
      }
      scale(staging_[0], share());
    }
    wait();
    std::size_t at = 0;
    for (const auto buffer : mine) {
      std::copy_n(
          staging_[0].begin() + static_cast<std::ptrdiff_t>(at), buffer.size(), buffer.begin());
      at += buffer.size();
    }
  }

  static void copy_in(const GradientBuffers& mine, std::vector<float>& staging) {
    auto to = staging.begin();
    for (const auto buffer : mine) {
      to = std::copy(buffer.begin(), buffer.end(), to);
    }
  }

  std::vector<std::vector<float>> staging_;
};

class DeviceExchange final : public Ranks {
 public:
  using Ranks::Ranks;

 private:
  void exchange(std::size_t rank, const GradientBuffers& mine) override {
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto share = own(rank, mine[i]);
      const auto sum = part(mine[i], share);
      for (std::size_t other = 0; other < count(); ++other) {
        if (other != rank) {
          add(sum, part(of(other)[i], share));
        }
      }
      scale(sum, this->share());
    }
    wait();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (std::size_t other = 0; other < count(); ++other) {
        const auto share = own(other, mine[i]);
        if (other != rank) {
          std::ranges::copy(part(of(other)[i], share), part(mine[i], share).begin());
        }
      }
    }
  }
};

class RingExchange final : public Ranks {
 public:
  using Ranks::Ranks;

 private:
  // In round r a rank takes from the one before it the share that has gone r steps round the ring.
  void exchange(std::size_t rank, const GradientBuffers& mine) override {
    const auto& before = of((rank + count() - 1) % count());
    for (std::size_t round = 0; round + 1 < count(); ++round) {
      const auto sender = (rank + 2 * count() - 1 - round) % count();
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const auto share = own(sender, mine[i]);
        add(part(mine[i], share), part(before[i], share));
      }
      wait();
    }
    const auto complete = (rank + 1) % count();
    for (const auto buffer : mine) {
      scale(part(buffer, own(complete, buffer)), share());
    }
    wait();
    for (std::size_t round = 0; round + 1 < count(); ++round) {
      const auto arriving = (rank + count() - round) % count();
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const auto share = own(arriving, mine[i]);
        std::ranges::copy(part(before[i], share), part(mine[i], share).begin());
      }
      wait();
    }
  }
};

}  // namespace

Share share_of(std::size_t count, std::size_t rank, std::size_t ranks) {
  constexpr std::size_t line = 16;  // floats
  const auto lines = (count + line - 1) / line;
  const auto at = [&](std::size_t r) { return std::min(lines * r / ranks * line, count); };
  return {at(rank), at(rank + 1)};
}

std::unique_ptr<GradientExchange> make_exchange(Exchange exchange,
                                                Compression compression,
                                                std::size_t ranks) {
  if (compression == Compression::two_bit) {
    if (exchange != Exchange::device) {
      throw EngineError(fmt::format("gradient compression goes with exchange device, not {}",
                                    to_string(exchange)));
    }
    return make_compressed_exchange(ranks);
  }
  switch (exchange) {
    case Exchange::local:
      return std::make_unique<LocalExchange>(ranks);
    case Exchange::device:
      return std::make_unique<DeviceExchange>(ranks);
    case Exchange::nccl:
      return std::make_unique<RingExchange>(ranks);
    case Exchange::sharded:
      throw EngineError(
          "exchange sharded is predicted, not run here: every rank of this engine holds all "
          "parameters; use local, device or nccl, or ask rightsize predict --exchange sharded");
  }
  throw EngineError("unknown exchange; use local, device or nccl");
}

}  // namespace rightsize
