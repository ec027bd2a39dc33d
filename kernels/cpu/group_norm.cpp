// Normalisation over the positions and channels of each group (Wu and He, "Group normalization",
// ECCV 2018), in FP32 inside and FP64 from chunk to chunk. In each pass the data are read twice, as
// they lie in memory; what a group has in common becomes a line per channel, y = a x + b.
#include <cmath>
#include <optional>

#include "kernels/cpu/channel_blocks.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

// What the backward pass needs of a group: x^ = (x - mean) * inverse.
struct GroupStatistics {
  float mean = 0;
  float inverse = 0;  // 1 / sqrt(variance + epsilon)
};

struct GroupShape {
  ChannelBlocks image;
  std::int64_t channels = 0;  // without what fills up blocks
  std::int64_t groups = 0;
  float epsilon = 0;

  [[nodiscard]] std::int64_t all_groups() const { return image.items * groups; }
  [[nodiscard]] std::int64_t members() const { return channels / groups; }
  // Of a group of an item, where its first channel stands among an item's and among all items'.
  [[nodiscard]] std::int64_t first_channel(std::int64_t group) const {
    return group % groups * members();
  }
  [[nodiscard]] std::int64_t first_number(std::int64_t group) const {
    return group / groups * image.channels() + first_channel(group);
  }
  [[nodiscard]] double values() const { return static_cast<double>(members() * image.positions()); }
};

// visit(first sum, second sum, positions) of each chunk of a channel.
template <typename Visit>
void for_each_partial(const GroupShape& shape,
                      const float* partials,
                      std::int64_t channel,
                      Visit visit) {
  const auto block = shape.image.block;
  const float* at = partials + shape.image.partial_sum(channel);
  for (std::int64_t k = 0; k < shape.image.chunks(); ++k, at += 2 * block) {
    visit(static_cast<double>(at[0]),
          static_cast<double>(at[block]),
          static_cast<double>(shape.image.in_chunk(k)));
  }
}

// Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample
// variances", 1979: what chunks deviate by around their own means, and these around the whole's.
GroupStatistics statistics_of(const GroupShape& shape, const float* moments, std::int64_t group) {
  const auto first = shape.first_number(group);
  double mean = 0;
  for (auto c = first; c < first + shape.members(); ++c) {
    for_each_partial(shape, moments, c, [&](double m, double, double n) { mean += m * n; });
  }
  mean /= shape.values();
  double squares = 0;
  for (auto c = first; c < first + shape.members(); ++c) {
    for_each_partial(shape, moments, c, [&](double m, double around, double n) {
      squares += around + n * (m - mean) * (m - mean);
    });
  }
  const double variance = squares / shape.values() + static_cast<double>(shape.epsilon);
  return {static_cast<float>(mean), static_cast<float>(1 / std::sqrt(variance))};
}

// What makes one channel of the result of another, and where it stands.
struct Lines {
  float* factors;
  float* x_factors;  // backward: of the input, beside the gradient
  float* offsets;
};

void forward_lines(const GroupShape& shape,
                   const GroupStatistics* statistics,
                   const float* scale,
                   const float* shift,
                   const Lines& lines) {
#pragma omp parallel for schedule(static)
  for (std::int64_t group = 0; group < shape.all_groups(); ++group) {
    const auto [mean, inverse] = statistics[group];
    const auto channel = shape.first_channel(group);
    const auto at = shape.first_number(group);
    for (std::int64_t j = 0; j < shape.members(); ++j) {
      lines.factors[at + j] = scale[channel + j] * inverse;
      lines.offsets[at + j] = shift[channel + j] - mean * lines.factors[at + j];
    }
  }
}

// What a channel of an item adds to the gradients of its shift and scale: sums of dy and dy x^.
struct ChannelGradient {
  double shift = 0;
  double scale = 0;
};

ChannelGradient gradient_of(const GroupShape& shape,
                            const float* sums,
                            std::int64_t channel,
                            const GroupStatistics& group) {
  double level = 0;
  double along = 0;
  for_each_partial(shape, sums, channel, [&](double dy, double dy_x, double) {
    level += dy;
    along += dy_x;
  });
  const auto mean = static_cast<double>(group.mean);
  return {level, static_cast<double>(group.inverse) * (along - mean * level)};
}

// dx = inverse (g - mean(g) - x^ mean(g x^)) with g = dy scale, as a line in dy and x.
void backward_lines(const GroupShape& shape,
                    const GroupStatistics* statistics,
                    const float* scale,
                    const float* sums,
                    const Lines& lines) {
#pragma omp parallel for schedule(static)
  for (std::int64_t group = 0; group < shape.all_groups(); ++group) {
    const auto& known = statistics[group];
    const auto channel = shape.first_channel(group);
    const auto at = shape.first_number(group);
    double level = 0;
    double along = 0;
    for (std::int64_t j = 0; j < shape.members(); ++j) {
      const auto one = gradient_of(shape, sums, at + j, known);
      level += static_cast<double>(scale[channel + j]) * one.shift / shape.values();
      along += static_cast<double>(scale[channel + j]) * one.scale / shape.values();
    }
    const auto inverse = static_cast<double>(known.inverse);
    const double of_x = -inverse * inverse * along;
    const double offset = -inverse * level - of_x * static_cast<double>(known.mean);
    for (std::int64_t j = 0; j < shape.members(); ++j) {
      lines.factors[at + j] = known.inverse * scale[channel + j];
      lines.x_factors[at + j] = static_cast<float>(of_x);
      lines.offsets[at + j] = static_cast<float>(offset);
    }
  }
}

void parameter_gradients(const GroupShape& shape,
                         const GroupStatistics* statistics,
                         const float* sums,
                         float* scale,
                         float* shift) {
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < shape.channels; ++c) {
    ChannelGradient sum;
    for (std::int64_t n = 0; n < shape.image.items; ++n) {
      const auto& group = statistics[n * shape.groups + c / shape.members()];
      const auto one = gradient_of(shape, sums, n * shape.image.channels() + c, group);
      sum.shift += one.shift;
      sum.scale += one.scale;
    }
    scale[c] = static_cast<float>(sum.scale);
    shift[c] = static_cast<float>(sum.shift);
  }
}

class GroupNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = in_channel_blocks(lowering(), inputs[0]);
    shape_ = {channel_blocks(source_.desc()), layer().out.c, layer().groups, layer().epsilon};
    auto& parameters = context().parameters;
    const auto per_channel = plain({shape_.channels});
    scale_ = parameters.add(lowering(), named(".scale"), per_channel, {1, 0}, false);
    shift_ = parameters.add(lowering(), named(".shift"), per_channel, {}, false);
    statistics_ = lowering().buffer(plain({shape_.all_groups(), 2}));
    const auto output = lowering().buffer(source_.desc());
    with_element(lowering().type(), [&](auto zero) { emit_forward<decltype(zero)>(output); });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, source_.desc());
    const bool in_place = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
    const auto result = in_place ? arriving : lowering().buffer(source_.desc());
    with_element(lowering().type(),
                 [&](auto zero) { emit_backward<decltype(zero)>(arriving, result); });
    return {{result}};
  }

 private:
  [[nodiscard]] Tensor floats(std::int64_t count) { return lowering().buffer(plain({count})); }

  // Zeros where blocks are filled up, so that these stay zeros.
  [[nodiscard]] Lines cleared(const Tensor& numbers) const {
    const auto count = shape_.image.items * shape_.image.channels();
    std::fill_n(numbers.data(), 3 * count, 0.0F);
    return {numbers.data(), numbers.data() + count, numbers.data() + 2 * count};
  }

  template <typename Element>
  void emit_forward(const Tensor& output) {
    const auto moments = floats(shape_.image.partial_sums());
    const auto numbers = floats(3 * shape_.image.items * shape_.image.channels());
    lowering().emit(
        named(".forward"),
        [=, this] {
          const auto* const in = elements<Element>(source_);
          auto* const statistics = elements<GroupStatistics>(statistics_);
          chunk_moments(in, shape_.image, moments.data());
#pragma omp parallel for schedule(static)
          for (std::int64_t group = 0; group < shape_.all_groups(); ++group) {
            statistics[group] = statistics_of(shape_, moments.data(), group);
          }
          const auto lines = cleared(numbers);
          forward_lines(shape_, statistics, scale_.value.data(), shift_.value.data(), lines);
          apply_lines(in, {lines.factors, lines.offsets}, shape_.image, elements<Element>(output));
        },
        {source_, scale_.value, shift_.value, moments, statistics_, numbers, output});
  }

  template <typename Element>
  void emit_backward(const Tensor& arriving, const Tensor& result) {
    const auto sums = floats(shape_.image.partial_sums());
    const auto numbers = floats(3 * shape_.image.items * shape_.image.channels());
    lowering().emit(
        named(".backward"),
        [=, this] {
          const auto* const in = elements<Element>(source_);
          const auto* const gradient = elements<Element>(arriving);
          const auto* const statistics = elements<GroupStatistics>(statistics_);
          chunk_products(gradient, in, shape_.image, sums.data());
          parameter_gradients(
              shape_, statistics, sums.data(), scale_.gradient.data(), shift_.gradient.data());
          const auto lines = cleared(numbers);
          backward_lines(shape_, statistics, scale_.value.data(), sums.data(), lines);
          apply_lines(gradient,
                      in,
                      {lines.factors, lines.offsets},
                      lines.x_factors,
                      shape_.image,
                      elements<Element>(result));
        },
        {source_,
         statistics_,
         scale_.value,
         scale_.gradient,
         shift_.gradient,
         arriving,
         sums,
         numbers,
         result});
  }

  GroupShape shape_;
  Parameter scale_, shift_;
  Tensor source_, statistics_;
};

}  // namespace

std::unique_ptr<Operation> make_group_norm(const OperationContext& context) {
  return std::make_unique<GroupNorm>(context);
}

}  // namespace rightsize::cpu
