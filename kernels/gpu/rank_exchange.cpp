#include "kernels/gpu/rank_exchange.h"

#include "kernels/gpu/exchange_kernels.h"
#include "kernels/gpu/nccl.h"

namespace rightsize::gpu {

RankExchange::RankExchange(Lowering& lowering, const Device& device, const abi::Options& options)
    : lowering_(lowering),
      device_(device),
      collectives_(options.communicator),
      exchange_(static_cast<Exchange>(options.exchange)),
      compression_(static_cast<Compression>(options.compression)) {
  if (collectives_ == nullptr) {
    return;
  }
  if (exchange_ == Exchange::local) {
    throw GpuError(abi::Status::unsupported,
                   "exchange local goes through the host's memory, which the GPU plugin cannot; "
                   "use exchange device or nccl");
  }
  if (exchange_ == Exchange::sharded) {
    throw GpuError(abi::Status::unsupported,
                   "exchange sharded is predicted, not run here: every rank holds all parameters; "
                   "use exchange device or nccl");
  }
  // A residual would keep a gradient that is not finite for ever.
  if (compression_ == Compression::two_bit && device.type() == ElementType::f16) {
    throw GpuError(abi::Status::unsupported,
                   "FP16 gradients may overflow, which two bits cannot tell the other ranks; use "
                   "precision bf16 or fp32, or no compression");
  }
}

void RankExchange::emit(std::span<const Parameter> parameters) {
  if (collectives_ == nullptr) {
    return;
  }
  const bool codes = compression_ == Compression::two_bit;
  std::vector<int> touched;
  for (const auto& p : parameters) {
    if (p.gradient < 0) {
      continue;
    }
    const auto count = p.shape.elements();
    Entry entry{p.gradient, -1, -1, count, p.gradient_type};
    if (codes) {
      const auto ranks = static_cast<std::size_t>(collectives_->ranks());
      entry.residual = lowering_.buffer(static_cast<std::size_t>(count) * sizeof(float));
      entry.codes = lowering_.buffer(static_cast<std::size_t>(code_words(count)) * ranks *
                                     sizeof(std::uint32_t));
      lowering_.keep(entry.residual);
    }
    touched.insert(touched.end(), {entry.gradient, entry.residual, entry.codes});
    entries_.push_back(entry);
  }
  lowering_.emit(
      "exchange",
      [this] {
        average_gradients(
            *collectives_, exchange_, compression_, gradients(), device_.stream().get());
        check_launch();
      },
      std::move(touched));
}

std::vector<ExchangedGradient> RankExchange::gradients() const {
  std::vector<ExchangedGradient> result;
  for (const auto& entry : entries_) {
    const bool codes = entry.codes >= 0;
    result.push_back({lowering_.address(entry.gradient),
                      entry.count,
                      entry.type,
                      codes ? lowering_.address_as<float>(entry.residual) : nullptr,
                      codes ? lowering_.address_as<std::uint32_t>(entry.codes) : nullptr});
  }
  return result;
}

void RankExchange::start() const {
  for (const auto& entry : entries_) {
    if (entry.residual >= 0) {
      check(cudaMemsetAsync(lowering_.address(entry.residual),
                            0,
                            static_cast<std::size_t>(entry.count) * sizeof(float),
                            device_.stream().get()));
    }
  }
}

}  // namespace rightsize::gpu
