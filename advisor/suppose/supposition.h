// What is supposed of a machine, as people write it on one line:
//   vcpus=24  vcpus=+8  memory=x2  disk=gp3:500GiB  batch=256  gpu=H100:8  price=-20%
//   gpu-speed=x1.3
// and of a service what it is asked:  qps=200  p99=100ms  machines=4  burst=8
// of a language model that writes tokens, in p99's place:
//   first-token=2s  token=30ms  prompt-tokens=2048  output-tokens=x2  weights=int4
//   prompt-tokens-stddev=2000  gpus-per-replica=2
// and of the work itself, for all machines:  items=x2  epochs=30  precision=bf16  sequence=1024
//   global-batch=1024  expert-tensor-parallel=1  preprocess-on=gpu
//   of a network whose name has parts (whisper-small:beams=5)  tokens=200  beams=1  steps=20
//   size=768x768  guidance=no  weights=int8
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/query/amount_words.h"
#include "advisor/query/query.h"
#include "pricing/money.h"

namespace rightsize {

// "24" sets, "+8" and "-8" add, "x2" multiplies, "+10%" and "-20%" change by a share.
class Change {
 public:
  // Throws UsageError naming `key`.
  [[nodiscard]] static Change parse(const std::string& key, const std::string& text);

  [[nodiscard]] double of(double now) const;
  // Exact, rounded at the nano-unit. Throws UsageError where the text names another currency.
  [[nodiscard]] Money of(const Money& now) const;
  // Converts an amount that names another currency, where the query has rates for it.
  void count_in(const std::string& currency, const Query& query);
  // Whatever it is now.
  [[nodiscard]] bool sets() const { return kind_ == Kind::set; }

 private:
  enum class Kind { set, add, multiply };
  Kind kind_ = Kind::set;
  std::int64_t nanos_ = 0;  // 10^-9 of the number, or of the factor
  std::string currency_;    // of an amount whose text names it
};

struct Supposition {
  std::optional<Change> vcpus;
  std::optional<Change> memory_gib;
  std::optional<Change> price;      // of the machine, per hour
  std::optional<Change> gpu_speed;  // of this machine's GPU; 1 is what is predicted
  std::optional<Change> cpu_speed;
  std::string gpu;  // "H100" or "H100:8"
  std::string disk;
  std::optional<Change> batch;
  std::optional<Change> requests_per_s;
  std::optional<Change> p99_s;
  std::optional<Change> machines;  // so many, instead of as many as it takes
  std::optional<Change> burst;     // requests or sequences that come together, in the mean
  std::optional<Change> first_token_s;
  std::optional<Change> token_s;
  std::optional<Change> prompt_tokens;
  std::optional<Change> output_tokens;
  std::optional<Change> cached_prompt_tokens;
  std::optional<Change> prompt_stddev;
  std::optional<Change> output_stddev;
  std::optional<Change> per_replica;    // GPUs
  std::optional<Change> service_hours;  // of a month
  std::string weights;                  // "int4"; "own": in the job's precision
  std::optional<Change> items;          // their bytes with them
  std::optional<Change> epochs;
  std::string precision;
  std::string preprocess_on;  // "gpu"
  std::optional<Change> sequence;
  std::optional<Change> global_batch;   // items of an update of all GPUs together
  std::optional<Change> expert_tensor;  // GPUs that share each expert
  std::string tokens;  // of a text that is written, as all below parts of a network's name
  std::string beams;
  std::string steps;
  std::string size;
  std::string images;
  std::string guidance;
  std::vector<std::string> words;  // as they were written

  [[nodiscard]] bool empty() const { return words.empty(); }
  // Parts of the network's name, but for its weights.
  [[nodiscard]] bool of_form() const {
    return !tokens.empty() || !beams.empty() || !steps.empty() || !size.empty() ||
           !images.empty() || !guidance.empty();
  }
  // How much there is to work through.
  [[nodiscard]] bool of_amount() const { return items || epochs; }
  // What is computed, and not how or on what.
  [[nodiscard]] bool of_work() const {
    return !precision.empty() || sequence || global_batch || expert_tensor || of_form();
  }
  // Something that only services have, requests or sequences.
  [[nodiscard]] bool of_service() const {
    return requests_per_s || p99_s || machines || burst || service_hours || of_tokens();
  }
  [[nodiscard]] bool of_tokens() const {
    return first_token_s || token_s || prompt_tokens || output_tokens || cached_prompt_tokens ||
           prompt_stddev || output_stddev || per_replica || !weights.empty();
  }
};

// "vcpus", "memory", ...: all that can be supposed.
[[nodiscard]] std::vector<std::string> supposition_keys();

// Each word is key=value. Throws UsageError naming the word, with the nearest key for an unknown
// one.
[[nodiscard]] Supposition parse_supposition(const std::vector<std::string>& words);

}  // namespace rightsize
