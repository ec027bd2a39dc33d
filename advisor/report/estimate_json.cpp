#include <boost/json.hpp>

#include "advisor/candidate/update_share.h"
#include "advisor/json_values.h"
#include "advisor/query/tuning_words.h"
#include "advisor/report/estimate_text.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize::report {

namespace json = boost::json;

json::object refusal_to_json(const char* schema, const Answer& answer) {
  return {{"schema", schema},
          {"status", status_word(answer.verdict)},
          {"reason", answer.reason},
          {"gpu_memory_needed_gib",
           answer.gpu_memory.total() > 0 ? json::value(answer.gpu_memory.total() / bytes_per_gib)
                                         : json::value(nullptr)},
          {"ways_out", json::value_from(answer.ways_out)}};
}

namespace {

// How a step trains, and what shares its memory.
void add_step(const NetworkStep& asked, const Answer& answer, json::object& document) {
  const auto& way = answer.memory_way;
  const auto& [adapters, state] = asked.tuning;
  const int of_copy = asked.copy_batch > 0                                      ? asked.copy_batch
                      : asked.phase == Phase::decode && way.parallel.tensor > 1 ? answer.batch
                                                                                : 0;
  document["batch_per_gpu"] = of_copy > 0 ? json::value(nullptr) : answer.batch;
  document["batch_per_copy"] = of_copy > 0 ? json::value(of_copy) : json::value(nullptr);
  document["accumulate"] = asked.accumulate;
  document["adapter"] = or_null(to_string(adapters));
  document["optimizer"] = or_null(std::string(to_string(state.optimizer)));
  document["master_weights"] = state.masters;
  document["sharded"] = way.shards > 1 && way.gathers();
  document["recompute"] = way.recompute;
  document["tensor_parallel"] = way.parallel.tensor;
  document["pipeline_parallel"] = way.parallel.pipeline;
  document["expert_parallel"] = way.expert_ranks();
  document["expert_tensor_parallel"] = way.parallel.gpus_of_expert();
  document["context_parallel"] = way.parallel.context;
  document["virtual_pipeline"] = way.parallel.chunks;
  document["micro_batch"] = way.parallel.any() && way.parallel.micro_batch > 0
                                ? json::value(way.parallel.micro_batch)
                                : json::value(nullptr);
}

}  // namespace

json::object estimate_to_json(const Configuration& asked, const Answer& answer) {
  constexpr auto schema = "rightsize/estimate/1";
  if (answer.verdict != Verdict::ok) {
    return refusal_to_json(schema, answer);
  }
  json::object document{{"schema", schema}, {"status", status_word(answer.verdict)}};
  document["throughput"] = to_json(answer.throughput);
  document["sound_s_per_s"] = hears(asked.network)
                                  ? json::value(clip_seconds * answer.throughput.value)
                                  : json::value(nullptr);
  document["cold_items_per_s"] = answer.prediction.cold_items_per_s;
  document["page_cache_hit_ratio"] = answer.prediction.hit_ratio;
  document["bottleneck"] = answer.bottleneck;
  document["bounds"] = bounds_to_json(answer.prediction);
  document["precision"] = to_string(answer.precision);
  document["framework"] = or_null(answer.framework);
  document["scaling_efficiency"] = answer.scaling_efficiency;
  add_step(with_update_shared(asked, asked.machine.gpus(), answer.batch), answer, document);
  document["gpu_memory_needed_gib"] = answer.gpu_memory.total() > 0
                                          ? json::value(answer.gpu_memory.total() / bytes_per_gib)
                                          : json::value(nullptr);
  if (const auto& job = answer.job) {
    document["job"] = {{"epochs", job->epochs},
                       {"hours", to_json(job->hours)},
                       {"mean_items_per_s", job->mean_items_per_s},
                       {"on_disk_credits", job->on_disk_credits},
                       {"moving_s", job->moving_s}};
  }
  if (const auto& burst = answer.burst) {
    document["burst"] = {{"items_per_s", burst->items_per_s},
                         {"cold_items_per_s", burst->cold_items_per_s},
                         {"cold_seconds", or_null(burst->seconds)}};
  }
  if (answer.energy) {
    document["power"] = to_json(answer.energy->watts);
    document["items_per_joule"] = to_json(answer.energy->items_per_joule);
  }
  document["notes"] = json::value_from(answer.notes);
  return document;
}

}  // namespace rightsize::report
