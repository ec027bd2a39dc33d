// An LSTM over a sequence in one direction: one product of all inputs with the input weights, then
// step by step a product of the last output with the recurrent weights and the gates. All in FP32.
#pragma once

#include <cstdint>

namespace rightsize::cpu {

// Rows are positions, item after item: position t of item n is row n * positions + t.
struct LstmShape {
  std::int64_t items = 0;
  std::int64_t positions = 0;
  std::int64_t in = 0;
  std::int64_t hidden = 0;
  std::int64_t out = 0;  // features of a row of the output: hidden, or twice that
  bool reverse = false;  // from the last position to the first

  [[nodiscard]] std::int64_t rows() const { return items * positions; }
};

// The recurrent weights lie as each pass multiplies by them: a product of a few items would spend
// more time on turning a matrix over, at every position, than on multiplying by it.
struct LstmWeights {
  const float* input = nullptr;             // 4 hidden x in
  const float* recurrent = nullptr;         // hidden x 4 hidden
  const float* recurrent_turned = nullptr;  // 4 hidden x hidden; the backward pass alone reads it
  const float* bias = nullptr;              // 4 hidden
};

struct LstmForward {
  const float* x = nullptr;             // rows x in
  const float* start_output = nullptr;  // items x hidden
  const float* start_cell = nullptr;    // items x hidden
  float* gates = nullptr;               // rows x 4 hidden: i f g o, for the backward pass
  float* cells = nullptr;               // rows x hidden, likewise
  float* y = nullptr;                   // rows x out; this direction's `hidden` features
};
void lstm_forward(const LstmShape& shape, const LstmWeights& weights, const LstmForward& pass);

struct LstmGradients {
  float* input = nullptr;
  float* recurrent = nullptr;  // hidden x 4 hidden
  float* bias = nullptr;
  float* x = nullptr;  // rows x in, added to; null where nobody wants it
};

struct LstmBackward {
  LstmForward forward;        // as it left its memory; gates become their gradients
  const float* dy = nullptr;  // rows x out; this direction's features
  float* before = nullptr;    // rows x hidden: scratch for the outputs of the steps before
  float* later = nullptr;     // items x hidden: scratch
  float* cell = nullptr;      // items x hidden: scratch
};
void lstm_backward(const LstmShape& shape,
                   const LstmWeights& weights,
                   const LstmBackward& pass,
                   const LstmGradients& gradients);

}  // namespace rightsize::cpu
