// attention_decode.cu, one position at a time against a cache, against attention as it is defined
// of the whole sequence, in float64.
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
  int prompt;
  bool turns;
};

// Positions one by one, from behind a prompt that another run of the kernel would have left there.
TEST_CASE("emulated kernels: one position at a time against a cache") {
  for (auto type : all_types) {
    for (const auto& [sizes, prompt, turns] :
         {DecodeCase{sizes_of(2, 6, 2, 1, 8, true), 0, true},
          DecodeCase{sizes_of(1, 300, 10, 1, 20, true), 254, false},
          DecodeCase{sizes_of(1, 130, 2, 2, 128, true), 126, true}}) {
      const auto all = random_values(packed_count(sizes), 87);
      const DeviceTensor whole(type, all);
      const auto table_values = some_table(sizes);
      const DeviceArray<float> table(table_values);
      auto known = whole.values();
      if (turns) {
        known = turned(known, table_values, sizes);
      }
      const auto expected = attention(known, sizes).out;
      const auto cache = sizes.items * sizes.kv_heads * sizes.positions * sizes.head_dim;
      Values keys(index(cache), 0);
      Values values(index(cache), 0);
      for (std::int64_t i = 0; i < cache; ++i) {
        const auto c = i % sizes.head_dim;
        const auto t = i / sizes.head_dim % sizes.positions;
        const auto head = i / sizes.head_dim / sizes.positions;
        const auto row = (head / sizes.kv_heads * sizes.positions + t) * sizes.packed_width() + c;
        const int kv = static_cast<int>(head % sizes.kv_heads);
        keys[index(i)] = t < prompt ? known[index(row + sizes.key(kv))] : 99;  // never to be read
        values[index(i)] = t < prompt ? known[index(row + sizes.value(kv))] : 99;
      }
      const DeviceTensor key_cache(type, keys);
      const DeviceTensor value_cache(type, values);
      const DeviceArray<float> partials(index(gpu::decode_partials(sizes)));
      for (int t = prompt; t < prompt + 4; ++t) {
        CAPTURE(t);
        Values row;
        Values answer;
        for (std::int64_t n = 0; n < sizes.items; ++n) {
          const auto at = n * sizes.positions + t;
          const auto from = whole.values();
          row.insert(row.end(),
                     from.begin() + at * sizes.packed_width(),
                     from.begin() + (at + 1) * sizes.packed_width());
          answer.insert(answer.end(),
                        expected.begin() + at * sizes.width(),
                        expected.begin() + (at + 1) * sizes.width());
        }
        const DeviceTensor packed(type, row);
        const DeviceTensor out(type, sizes.items * sizes.width());
        gpu::StepState now{};
        now.position = t;
        const DeviceArray<gpu::StepState> state(std::vector<gpu::StepState>{now});
        gpu::launch_decode_attention({packed.data(),
                                      turns ? table.data() : nullptr,
                                      key_cache.data(),
                                      value_cache.data(),
                                      partials.data(),
                                      out.data()},
                                     state.data(),
                                     type,
                                     sizes,
                                     nullptr);
        partials.check();
        check_near(out.values(), answer, type, rounding(type));
      }
    }
  }
}

}  // namespace
}  // namespace rightsize::test
