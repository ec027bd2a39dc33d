#include "kernels/gpu/gradient_average.h"

#include <algorithm>

#include "kernels/gpu/exchange_kernels.h"
#include "kernels/parallel/compressed_exchange.h"

namespace rightsize::gpu {
namespace {

// Calls visit(root, values, count) for the share of each rank: equal ones, the last may be short.
template <typename Visit>
void for_each_share(const ExchangedGradient& gradient, int ranks, Visit visit) {
  const std::int64_t each = ((gradient.count + ranks - 1) / ranks + 15) / 16 * 16;
  for (int root = 0; root < ranks; ++root) {
    const auto first = std::min(root * each, gradient.count);
    const auto count = std::min(each, gradient.count - first);
    auto* const values = static_cast<std::byte*>(gradient.values) +
                         static_cast<std::size_t>(first) * bytes_of(gradient.type);
    if (count > 0) {
      visit(root, values, count);
    }
  }
}

void reduce_in_shares(Collectives& all,
                      std::span<const ExchangedGradient> gradients,
                      cudaStream_t stream) {
  all.begin();
  for (const auto& gradient : gradients) {
    for_each_share(gradient, all.ranks(), [&](int root, void* values, std::int64_t count) {
      all.reduce_mean(values, count, gradient.type, root, stream);
    });
  }
  all.end();
  all.begin();
  for (const auto& gradient : gradients) {
    for_each_share(gradient, all.ranks(), [&](int root, void* values, std::int64_t count) {
      all.broadcast(values, count, gradient.type, root, stream);
    });
  }
  all.end();
}

void exchange_codes(Collectives& all,
                    std::span<const ExchangedGradient> gradients,
                    cudaStream_t stream) {
  for (const auto& g : gradients) {
    auto* const own = g.codes + all.rank() * code_words(g.count);
    launch_compress(g.values, g.residual, own, g.type, g.count, compression_threshold, stream);
  }
  all.begin();
  for (const auto& g : gradients) {
    const auto words = static_cast<std::size_t>(code_words(g.count));
    all.all_gather(g.codes, words * sizeof(std::uint32_t), stream);
  }
  all.end();
  for (const auto& g : gradients) {
    launch_decompress_mean(
        g.codes, all.ranks(), g.values, g.type, g.count, compression_threshold, stream);
  }
}

}  // namespace

void average_gradients(Collectives& collectives,
                       Exchange exchange,
                       Compression compression,
                       std::span<const ExchangedGradient> gradients,
                       cudaStream_t stream) {
  if (compression == Compression::two_bit) {
    exchange_codes(collectives, gradients, stream);
    return;
  }
  if (exchange == Exchange::device) {
    reduce_in_shares(collectives, gradients, stream);
    return;
  }
  collectives.begin();
  for (const auto& gradient : gradients) {
    collectives.all_reduce_mean(gradient.values, gradient.count, gradient.type, stream);
  }
  collectives.end();
}

}  // namespace rightsize::gpu
