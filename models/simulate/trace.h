// What a simulated pipeline did, as spans in lanes: the accelerator in lane 0, loader threads in
// the lanes after it. Written in the Trace Event Format that chrome://tracing and Perfetto read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/simulate/time.h"

namespace rightsize::simulate {

struct Span {
  const char* name = "";  // "step", "read", "decode"
  int lane = 0;
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
};

class Trace {
 public:
  // Spans beyond `most` are counted, not kept: memory does not grow with the simulated length.
  explicit Trace(std::size_t most = 100'000) : most_(most) {}

  void add(const Span& span) {
    if (spans_.size() < most_) {
      spans_.push_back(span);
    } else {
      ++left_out_;
    }
  }

  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  std::size_t most_;
  std::size_t left_out_ = 0;
  std::vector<Span> spans_;
};

// The JSON document: complete events ("ph": "X") in microseconds from the first span, and the names
// of the lanes. `device` names lane 0. The same trace gives the same bytes.
[[nodiscard]] std::string chrome_trace(const Trace& trace, const std::string& device);

}  // namespace rightsize::simulate
