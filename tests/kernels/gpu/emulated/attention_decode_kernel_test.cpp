// attention_decode.cu, one position at a time against a cache, against attention as it is defined
// of the whole sequence, in float64.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/emulated/attention_reference.h"
#include "kernels/gpu/emulated/tensor.h"

namespace rightsize::test {
namespace {

using gpu::AttentionSizes;
using gpu::ElementType;

struct DecodeCase {
  AttentionSizes sizes;
  std::int64_t slots;  // of the cache: a ring where they are fewer than the positions
  int prompt;
  int steps;
  bool turns;
};

// Position t's row of each item.
Values rows_at(const Values& all, std::int64_t width, const AttentionSizes& sizes, std::int64_t t) {
  Values rows;
  for (std::int64_t n = 0; n < sizes.items; ++n) {
    const auto row = all.begin() + (n * sizes.positions + t) * width;
    rows.insert(rows.end(), row, row + width);
  }
  return rows;
}

// The cache of `part`, keys or values, as another run of the kernel would have left it behind the
// prompt; 99 where nothing is yet, never to be read.
Values left_by_prompt(const Values& known,
                      std::int64_t (AttentionSizes::*part)(int) const,
                      const DecodeCase& asked) {
  const auto& sizes = asked.sizes;
  const auto heads = sizes.items * sizes.kv_heads;
  Values cache(index(heads * asked.slots * sizes.head_dim), 99);
  for (std::int64_t head = 0; head < heads; ++head) {
    const auto item = head / sizes.kv_heads;
    const auto from = (sizes.*part)(static_cast<int>(head % sizes.kv_heads));
    for (auto t = std::max<std::int64_t>(0, asked.prompt - asked.slots); t < asked.prompt; ++t) {
      const auto row = (item * sizes.positions + t) * sizes.packed_width() + from;
      const auto slot = (head * asked.slots + t % asked.slots) * sizes.head_dim;
      std::copy_n(known.begin() + row, sizes.head_dim, cache.begin() + slot);
    }
  }
  return cache;
}

void check_steps(ElementType type, const DecodeCase& asked) {
  const auto& sizes = asked.sizes;
  auto held = sizes;
  held.positions = asked.slots;
  const auto all = DeviceTensor(type, random_values(packed_count(sizes), 87)).values();
  const auto table_values = some_table(sizes);
  const DeviceArray<float> table(table_values);
  const auto known = asked.turns ? turned(all, table_values, sizes) : all;
  const auto expected = attention(known, sizes).out;
  const DeviceTensor keys(type, left_by_prompt(known, &AttentionSizes::key, asked));
  const DeviceTensor values(type, left_by_prompt(known, &AttentionSizes::value, asked));
  const DeviceArray<float> partials(index(gpu::decode_partials(held)));
  for (int t = asked.prompt; t < asked.prompt + asked.steps; ++t) {
    CAPTURE(t);
    const DeviceTensor packed(type, rows_at(all, sizes.packed_width(), sizes, t));
    const DeviceTensor out(type, sizes.items * sizes.width());
    gpu::StepState now{};
    now.position = t;
    const DeviceArray<gpu::StepState> state(std::vector<gpu::StepState>{now});
    gpu::launch_decode_attention({packed.data(),
                                  asked.turns ? table.data() : nullptr,
                                  keys.data(),
                                  values.data(),
                                  partials.data(),
                                  out.data()},
                                 state.data(),
                                 type,
                                 held,
                                 nullptr);
    partials.check();
    check_near(out.values(), rows_at(expected, sizes.width(), sizes, t), type, rounding(type));
  }
}

TEST_CASE("emulated kernels: one position at a time against a cache") {
  for (auto type : all_types) {
    check_steps(type, {sizes_of(2, 6, 2, 1, 8, true), 6, 0, 4, true});
    check_steps(type, {sizes_of(1, 300, 10, 1, 20, true), 300, 254, 4, false});
    check_steps(type, {sizes_of(1, 130, 2, 2, 128, true), 130, 126, 4, true});
  }
}

// What leaves the window makes room: filled from nothing and gone round twice, filled and gone
// round behind a prompt, and behind one that had gone round. Of 130 slots a second block has two.
TEST_CASE("emulated kernels: one position at a time against a ring of a window's width") {
  for (auto type : all_types) {
    check_steps(type, {sizes_of(2, 20, 4, 2, 20, true, 7), 7, 0, 20, true});
    check_steps(type, {sizes_of(1, 134, 4, 2, 16, true, 130), 130, 126, 8, true});
    check_steps(type, {sizes_of(2, 264, 2, 1, 16, true, 130), 130, 256, 8, false});
  }
}

}  // namespace
}  // namespace rightsize::test
