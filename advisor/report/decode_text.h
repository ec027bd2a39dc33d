// A language model served token by token, as people and programs read it.
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/report/style.h"
#include "models/estimate.h"
#include "models/laws/decode.h"

namespace rightsize::report {

struct DecodeReport {
  std::string question;  // "llama-8b fp16 on 1 x A100"
  DecodeLoad load;       // of one replica
  DecodeWork work;
  DecodePoint point;
  DecodePoint fast;  // with the bandwidth and rate at the upper end of their interval
  DecodePoint slow;
  int replicas = 1;
  double bandwidth_share = 0;  // of the data sheet's, reached
  double matrix_share = 0;     // likewise
};

// "memory_bound", "compute_bound", "host_bound", "saturated", "too_small".
[[nodiscard]] std::string_view regime_word(DecodeRegime regime);

[[nodiscard]] std::string decode_text(const DecodeReport& decode, const Style& style);

// Schema rightsize/decode/1.
[[nodiscard]] boost::json::object decode_to_json(const DecodeReport& decode);

}  // namespace rightsize::report
