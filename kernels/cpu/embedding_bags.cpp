// Several tables, each looked up by some ids of an item, whose rows are added up; the sums of all
// tables stand side by side. The tables lie one behind the other in one matrix. A table that is
// trained whole has a gradient of every row, as an embedding has; of the others the rows that a
// batch chose are updated in place at the end of the step, each once by the sum of what arrives at
// it:
//   sgd      w = w - rate g
//   adagrad  s = s + g^2, w = w - rate g / (sqrt(s) + 1e-8)   (Duchi et al., JMLR 2011)
// without momentum or decay, which would touch all rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

// What one of an item's ids is for.
struct Slot {
  std::int64_t column = 0;     // of the sums, where its table's begins
  std::int64_t first_row = 0;  // of its table in the matrix
  std::int64_t rows = 0;
};

// The ids of one table.
struct Bag {
  std::int64_t first_slot = 0;
  std::int64_t end_slot = 0;
  std::int64_t column = 0;
};

struct BagsShape {
  std::int64_t items = 0;
  std::int64_t stride = 0;  // ids of an item, those that others read included
  std::int64_t first = 0;   // of these
  std::int64_t width = 0;   // of a row
  std::int64_t features = 0;
  std::vector<Slot> slots;
  std::vector<Bag> bags;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(slots.size()); }
  [[nodiscard]] std::int64_t row(const std::int32_t* ids, std::int64_t item, std::int64_t s) const {
    const auto& slot = slots[static_cast<std::size_t>(s)];
    return slot.first_row + ids[item * stride + first + s] % slot.rows;
  }
  [[nodiscard]] std::int64_t column(std::int64_t s) const {
    return slots[static_cast<std::size_t>(s)].column;
  }
};

BagsShape shape_of(const OperationContext& context) {
  const auto& layer = context.layer;
  BagsShape shape{context.items,
                  context.network.input.positions(),
                  layer.position,
                  layer.row_elements(),
                  layer.out.c,
                  {},
                  {}};
  std::int64_t first_row = 0;
  std::int64_t column = 0;
  for (const auto& table : layer.tables) {
    shape.bags.push_back({shape.count(), shape.count() + table.ids, column});
    shape.slots.insert(
        shape.slots.end(), static_cast<std::size_t>(table.ids), {column, first_row, table.rows});
    first_row += table.rows;
    column += shape.width;
  }
  return shape;
}

// As many features of a row as are summed up at once, in registers or next to them.
constexpr std::int64_t slice = 64;
using Sum = std::array<float, slice>;

template <typename From>
void add_row(const From* row, std::int64_t features, Sum& sum) {
#pragma omp simd
  for (std::int64_t c = 0; c < features; ++c) {
    sum[static_cast<std::size_t>(c)] += static_cast<float>(row[c]);
  }
}

// Sums are in FP32 whatever rows are kept in.
template <typename From, typename To>
void look_up(const From* table, const std::int32_t* ids, To* out, const BagsShape& shape) {
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < shape.items; ++item) {
    for (std::int64_t begin = 0; begin < shape.width; begin += slice) {
      const auto features = std::min(slice, shape.width - begin);
      for (const auto& bag : shape.bags) {
        Sum sum{};
        for (auto s = bag.first_slot; s < bag.end_slot; ++s) {
          add_row(table + shape.row(ids, item, s) * shape.width + begin, features, sum);
        }
        To* const to = out + item * shape.features + bag.column + begin;
        for (std::int64_t c = 0; c < features; ++c) {
          to[c] = static_cast<To>(sum[static_cast<std::size_t>(c)]);
        }
      }
    }
  }
}

// Threads share out the features, not the ids: one may come twice.
void scatter_add(const float* arriving,
                 const std::int32_t* ids,
                 float* gradient,
                 const BagsShape& shape) {
  constexpr std::int64_t share = 16;
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < shape.width; begin += share) {
    const auto end = std::min(begin + share, shape.width);
    for (std::int64_t item = 0; item < shape.items; ++item) {
      for (std::int64_t s = 0; s < shape.count(); ++s) {
        const float* const from = arriving + item * shape.features + shape.column(s);
        float* const to = gradient + shape.row(ids, item, s) * shape.width;
        for (std::int64_t c = begin; c < end; ++c) {
          to[c] += from[c];
        }
      }
    }
  }
}

using Chosen =
    std::pair<std::int64_t, std::int64_t>;  // a row and who chose it: item x slots + slot

// In the order of rows, so that each is updated once. Tables follow one another in the matrix.
void sort_choices(const std::int32_t* ids, const BagsShape& shape, std::vector<Chosen>& chosen) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t table = 0; table < shape.bags.size(); ++table) {
    const auto& bag = shape.bags[table];
    const auto begin = chosen.begin() + bag.first_slot * shape.items;
    auto to = begin;
    for (std::int64_t item = 0; item < shape.items; ++item) {
      for (auto s = bag.first_slot; s < bag.end_slot; ++s) {
        *to++ = {shape.row(ids, item, s), item * shape.count() + s};
      }
    }
    std::sort(begin, to);
  }
}

RIGHTSIZE_SIMD_CLONES void step_sgd(float* row, const float* sum, std::int64_t width, float rate) {
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    row[c] -= rate * sum[c];
  }
}

RIGHTSIZE_SIMD_CLONES void step_adagrad(
    float* row, float* squares, const float* sum, std::int64_t width, float rate) {
  constexpr float epsilon = 1e-8F;
#pragma omp simd
  for (std::int64_t c = 0; c < width; ++c) {
    squares[c] += sum[c] * sum[c];
    row[c] -= rate * sum[c] / (__builtin_sqrtf(squares[c]) + epsilon);
  }
}

// `squares` is null for SGD. Of those who chose a row the first updates it, by the sum of all.
void update_rows(float* table,
                 float* squares,
                 const float* arriving,
                 const std::vector<Chosen>& chosen,
                 const BagsShape& shape,
                 float rate) {
  const auto count = static_cast<std::int64_t>(chosen.size());
  const auto gradient_of = [&](std::int64_t i) {
    const auto at = chosen[static_cast<std::size_t>(i)].second;
    return arriving + at / shape.count() * shape.features + shape.column(at % shape.count());
  };
  const auto row_of = [&](std::int64_t i) { return chosen[static_cast<std::size_t>(i)].first; };
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0 && row_of(i) == row_of(i - 1)) {
      continue;  // whoever has the first takes all
    }
    for (std::int64_t begin = 0; begin < shape.width; begin += slice) {
      const auto features = std::min(slice, shape.width - begin);
      Sum sum{};
      for (auto same = i; same < count && row_of(same) == row_of(i); ++same) {
        add_row(gradient_of(same) + begin, features, sum);
      }
      const auto at = row_of(i) * shape.width + begin;
      if (squares == nullptr) {
        step_sgd(table + at, sum.data(), features, rate);
      } else {
        step_adagrad(table + at, squares + at, sum.data(), features, rate);
      }
    }
  }
}

class EmbeddingBags final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    shape_ = shape_of(context());
    table_ = table();
    const auto output =
        lowering().buffer(with_type(plain({shape_.items, shape_.features}), lowering().type()));
    lowering().emit(
        named(".forward"), [this, output] { run_forward(output); }, {table_.value, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    arriving_ = lowering().reordered(with_rank(lowering(), gradient.tensor, 2),
                                     plain({shape_.items, shape_.features}));
    if (!layer().updates_rows()) {
      const bool first = context().parameters.starts_gradient(table_.name);
      lowering().emit(named(".backward_weights"),
                      [this, target = table_.gradient, first] {
                        if (first) {
                          std::memset(target.data(), 0, target.desc().get_size());
                        }
                        scatter_add(
                            arriving_.data(), context().state.tokens, target.data(), shape_);
                      },
                      {arriving_, table_.gradient});
    }
    return {Gradient{}};
  }

  void finish_step() override {
    if (!layer().updates_rows() || lowering().phase() != Phase::train) {
      return;
    }
    chosen_.resize(static_cast<std::size_t>(shape_.items * shape_.count()));
    std::vector<Tensor> touched{table_.value, arriving_};
    if (squares_) {
      touched.push_back(squares_);
    }
    lowering().emit(
        named(".update_rows"),
        [this] {
          sort_choices(context().state.tokens, shape_, chosen_);
          update_rows(table_.value.data(),
                      squares_ ? squares_.data() : nullptr,
                      arriving_.data(),
                      chosen_,
                      shape_,
                      context().state.learning_rate);
        },
        touched);
  }

 private:
  // Rows start about as long as one.
  [[nodiscard]] Parameter table() {
    const Start start{0, 1 / std::sqrt(static_cast<float>(shape_.width))};
    const auto desc = with_type(plain({layer().table_rows(), shape_.width}), lowering().type());
    auto& parameters = context().parameters;
    if (!layer().updates_rows()) {
      return parameters.add(lowering(), named(".weights"), desc, start, false);
    }
    auto made = parameters.add_table(lowering(), named(".weights"), desc, start);
    if (lowering().phase() == Phase::train && layer().table_update == TableUpdate::adagrad) {
      squares_ = parameters.add_table(lowering(), named(".squares"), desc, {}).value;
    }
    return made;
  }

  void run_forward(const Tensor& output) const {
    const auto* const ids = context().state.tokens;
    with_element(type_of(table_.value.memory.get_desc()), [&](auto from) {
      with_element(lowering().type(), [&](auto to) {
        look_up(
            elements<decltype(from)>(table_.value), ids, elements<decltype(to)>(output), shape_);
      });
    });
  }

  BagsShape shape_;
  Parameter table_;
  Tensor arriving_, squares_;
  std::vector<Chosen> chosen_;
};

}  // namespace

std::unique_ptr<Operation> make_embedding_bags(const OperationContext& context) {
  return std::make_unique<EmbeddingBags>(context);
}

}  // namespace rightsize::cpu
