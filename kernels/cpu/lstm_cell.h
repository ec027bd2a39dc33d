// The element-wise part of an LSTM step (Hochreiter and Schmidhuber, 1997, with forget gates: Gers,
// Schmidhuber, Cummins, 2000), for one item: gates in the order input, forget, candidate, output,
// each `hidden` wide, as PyTorch, cuDNN and oneDNN order them.
//   c = f c_before + i g, h = o tanh(c)
#pragma once

#include <cstdint>

namespace rightsize::cpu {

struct LstmCellForward {
  float* gates = nullptr;  // sums in, i f g o out
  const float* cell_before = nullptr;
  float* cell = nullptr;
  float* output = nullptr;
  std::int64_t hidden = 0;
};
void lstm_cell_forward(const LstmCellForward& cell);

struct LstmCellBackward {
  float* gates = nullptr;  // i f g o in, d loss / d sums out
  const float* cell_before = nullptr;
  const float* cell = nullptr;
  const float* output_gradient = nullptr;     // from above
  const float* recurrent_gradient = nullptr;  // from the step after this one
  float* cell_gradient = nullptr;             // of this step in, of the step before out
  std::int64_t hidden = 0;
};
void lstm_cell_backward(const LstmCellBackward& cell);

}  // namespace rightsize::cpu
