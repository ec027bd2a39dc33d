// How much longer explain takes than the search it explains: what would change an answer is found
// by hundreds of searches anew, of which most is to be remembered. Services, and a training
// that many GPUs share; by the shipped model, on one core.
#include <chrono>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/explain/explanation.h"
#include "advisor/query/query.h"
#include "advisor/search.h"

using namespace rightsize;

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A 70B whose layers and sequences many GPUs share, on up to 32 machines.
Query shared_training() {
  Query query;
  query.network = "llama-70b";
  query.sequence = 4096;
  query.precision = Precision::bf16;
  query.tensor_parallel = 8;
  query.pipeline_parallel = 4;
  query.format = DataFormat::synthetic;
  query.items = 3662109;
  query.nodes_max = 32;
  return query;
}

void time_explain(const std::string& what, const Query& query, const Evidence& evidence) {
  const double search_s = seconds_of([&] { (void)search(query, evidence); });
  const double explain_s = seconds_of([&] { (void)explain(query, evidence, ""); });
  fmt::print("{:<48} search {:7.3f} s, explain {:7.3f} s: {:5.1f} times\n",
             what,
             search_s,
             explain_s,
             explain_s / search_s);
}

}  // namespace

int main() {
  const auto model = shipped_model();
  const auto catalog = shipped_catalog();
  const auto gpu_rates = shipped_gpu_rates();
  const auto cpu_speeds = shipped_cpu_speeds();
  const Evidence evidence{model, catalog, gpu_rates, cpu_speeds};
  const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
  for (const char* file : {"service/job.toml", "llm/serve.toml"}) {
    time_explain(file, load_query(examples + file), evidence);
  }
  auto mixture = load_query(examples + "llm/serve.toml");
  mixture.network = "qwen3-30b-a3b";
  mixture.precision = Precision::bf16;
  time_explain("the same of a mixture of experts", mixture, evidence);
  time_explain("a 70B in 8 x 4 on up to 32 machines", shared_training(), evidence);
}
