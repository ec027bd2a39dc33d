// Inference through a narrow LSTM, whose weights stay in a core's own cache: each thread takes some
// items through all positions, and keeps the gates of one position alone. What a layer of many
// items and few features pays in lstm_direction.h, the gates of all positions through memory and a
// barrier at each, is not paid.
#pragma once

#include "kernels/cpu/lstm_direction.h"

namespace rightsize::cpu {

// Whether the weights fit beside the rest, and each of `threads` has items enough for products to
// be worth it: with fewer, some would stand idle while all can share in the products of
// lstm_forward.
[[nodiscard]] bool is_resident(const LstmShape& shape, int threads);

struct LstmResident {
  const float* x = nullptr;             // rows x in
  const float* start_output = nullptr;  // items x hidden
  const float* start_cell = nullptr;    // items x hidden
  const float* input_turned = nullptr;  // in x 4 hidden
  const float* recurrent = nullptr;     // hidden x 4 hidden
  const float* bias = nullptr;          // 4 hidden
  float* gates = nullptr;               // items x 4 hidden: scratch
  float* cells = nullptr;               // 2 x items x hidden: scratch
  float* y = nullptr;                   // rows x out; this direction's `hidden` features
};
void lstm_resident(const LstmShape& shape, const LstmResident& pass);

// items x hidden: where the pass left the cells of the last position visited.
[[nodiscard]] const float* last_cells(const LstmShape& shape, const float* cells);

}  // namespace rightsize::cpu
