// Variables for a Terraform module of the user's own, as *.auto.tfvars.json. HCL's JSON form
// ignores the key "//", which is where the comment goes.
#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/machine_network.h"
#include "advisor/export/server_script.h"
#include "advisor/export/tpu_slice.h"
#include "advisor/export/weights_disk.h"
#include "advisor/json_values.h"
#include "advisor/query/tuning_words.h"
#include "advisor/tokens/weights_taken.h"
#include "advisor/update_batch.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// One key a line: such a file is read, and its changes reviewed, by people.
std::string pretty(const json::object& object) {
  std::string out = "{\n";
  for (std::size_t i = 0; const auto& [key, value] : object) {
    out += "  " + json::serialize(json::string(key)) + ": ";
    if (value.is_array()) {
      out += "[\n";
      for (std::size_t line = 0; const auto& element : value.get_array()) {
        out += "    " + json::serialize(element) +
               (++line < value.get_array().size() ? ",\n" : "\n  ]");
      }
    } else {
      out += json::serialize(value);
    }
    out += ++i < object.size() ? ",\n" : "\n";
  }
  return out + "}\n";
}

// 1500, not 1.5E3.
json::value plain(double number) {
  const bool whole = number == std::floor(number) && number < 1e15;
  return whole ? json::value(static_cast<std::int64_t>(number)) : json::value(number);
}

// A limit that is not set is null.
json::value milliseconds(double limit_s) {
  return std::isfinite(limit_s) ? plain(1e3 * limit_s) : json::value(nullptr);
}

// What a machine of the service runs, and by what port it is reached; null where no command of its
// software is known.
void add_server(const Recommendation& answer, const Option& option, json::object& variables) {
  const auto command = server_command(answer, option);
  variables["server_image"] = or_null(command ? std::string(command->image) : "");
  variables["server_port"] = command ? json::value(command->port) : json::value();
  variables["server_script"] =
      or_null(command ? machine_script(*command, option.tokens->server) : "");
}

void add_tokens(const TokenService& service, const TokenFleet& fleet, json::object& variables) {
  const auto& server = fleet.server;
  variables["sequences_per_s"] = plain(service.sequences_per_s);
  variables["prompt_tokens"] = service.prompt_tokens;
  variables["output_tokens"] = service.output_tokens;
  variables["first_token_ms"] = milliseconds(service.limits.first_token_s);
  variables["token_ms"] = milliseconds(service.limits.token_s);
  variables["gpus_per_replica"] = server.gpus_each();
  variables["replicas_per_machine"] = server.replicas;
  variables["sequences_per_replica"] = fleet.expected.point.most_sequences;
  variables["attention"] = to_string(server.attention);
  variables["weights"] = to_string(server.weights);
  variables["caches"] = server.fp8_caches ? "fp8" : "own";
}

// Of texts that are worked through, as add_tokens() has it of a service.
void add_texts(const Query& query, const Option& option, json::object& variables) {
  const auto& writing = query.writing;
  variables["prompt_tokens"] = writing.prompt_tokens;
  variables["output_tokens"] = writing.output_tokens;
  variables["gpus_per_replica"] = option.tensor_parallel;
  variables["replicas_per_machine"] = std::floor(option.gpus / option.tensor_parallel);
  variables["sequences_per_replica"] = option.batch_per_gpu;
  variables["weights"] = to_string(weights_taken(query));
  variables["caches"] = writing.fp8_caches ? "fp8" : "own";
}

// What is trained, and how the GPUs share it; null where all of it, and where they do not.
void add_training(const Query& query, const Option& option, json::object& variables) {
  const auto several = [](int count) { return count > 1 ? json::value(count) : json::value(); };
  variables["epochs"] = plain(query.epochs);
  variables["adapter"] = or_null(to_string(query.tuning.adapters));
  variables["optimizer"] = or_null(std::string(to_string(query.tuning.state.optimizer)));
  variables["master_weights"] = query.tuning.state.masters ? "fp32" : "none";
  const auto batch = update_batch(query, option);
  variables["tensor_parallel"] = several(option.tensor_parallel);
  variables["pipeline_parallel"] = several(option.pipeline_parallel);
  variables["virtual_pipeline"] = several(option.virtual_pipeline);
  variables["context_parallel"] = several(option.context_parallel);
  variables["expert_parallel"] = several(query.expert_parallel);
  variables["expert_tensor_parallel"] =
      query.expert_tensor_parallel > 0 ? json::value(query.expert_tensor_parallel) : json::value();
  variables["data_parallel"] = several(batch.copies);
  variables["micro_batch"] = batch.micro_batch;
  variables["gradient_accumulation"] = several(batch.passes);
  variables["global_batch"] = batch.global();
  variables["distributed_optimizer"] = divides_optimizer(query, option);
  variables["shard_parameters"] = option.sharded;
  variables["recompute"] = option.recompute;
  const bool exchanges = query.exchange && !option.sharded && !option.exchange.empty();
  variables["exchange"] = or_null(exchanges ? std::string(to_string(*query.exchange)) : "");
}

json::array comment_on(const Recommendation& answer, const Option& option) {
  json::array comment;
  for (const auto& line : heading_lines(answer, option)) {
    comment.push_back(json::string(line));
  }
  if (is_cut_to_measure(option) && option.gpus > 0) {
    comment.push_back("instance_type is cut to measure; attach the GPUs to it (guest_accelerator)");
  }
  if (has_tpus(option)) {
    comment.push_back(json::string(
        fmt::format("the TPU API calls the slice of all its chips {}", tpu_slice(option))));
  }
  if (const auto command = server_command(answer, option)) {
    comment.push_back(json::string("server_script wants MODEL: " + command->checkpoint));
    if (option.tokens->server.replicas > 1) {
      comment.push_back("server_script wants nginx, which spreads what comes over the replicas");
    }
  } else if (option.tokens) {
    comment.push_back(json::string(server_command_hint(answer.query, option)));
  }
  if (counts_on_fabric(answer.query, option)) {
    comment.push_back(json::string(fabric_words(answer.query, option)));
  }
  if (weights_disk_gib(answer, option) > 0) {
    comment.push_back("disk_size_gib holds the weights and 20 GiB; the price has no disk in it");
  } else if (option.disk_gib == 0) {
    comment.push_back(json::string("no volume is rented: " + option.disk));
  }
  return comment;
}

json::value above_0(std::int64_t amount) {
  return amount > 0 ? json::value(amount) : json::value(nullptr);
}

json::object machine_variables(const Recommendation& answer, const Option& option) {
  const bool listed = option.disk_source != Source::assumed;
  return {{"//", comment_on(answer, option)},
          {"job_name", job_label(answer.query)},
          {"cloud", option.provider},
          {"region", or_null(option.region)},
          {"instance_type", machine_type(option)},
          {"vcpus", plain(option.vcpus)},
          {"memory_gib", plain(option.memory_gib)},
          {"instance_count", option.nodes},
          {"use_spot", option.market == Market::spot},
          {"gpu_type", or_null(option.gpu)},
          {"gpu_count", static_cast<std::int64_t>(option.gpus)},
          {"efa_interfaces", above_0(efa_interfaces(answer.query, option))},
          {"disk_type", or_null(listed ? option.disk_class : "")},
          {"disk_size_gib", above_0(std::max(weights_disk_gib(answer, option), option.disk_gib))},
          {"disk_iops", above_0(option.disk_iops)},
          {"disk_throughput_mb_s", above_0(option.disk_mbps)}};
}

void add_work(const Query& query, const Option& option, json::object& variables) {
  if (query.phase == Phase::preprocess) {
    variables["reads"] = to_string(query.format);
    variables["writes"] = to_string(query.writes);
    return;
  }
  if (!option.tokens) {
    variables[is_batch_of_gpu(query, option) ? "batch_per_gpu" : "batch"] =
        query.service ? largest_in_time(*query.service, option) : option.batch_per_gpu;
  }
  if (const auto length = sequence_length(query)) {
    variables["sequence_length"] = *length;
  }
  variables["precision"] = to_string(option.precision);
  if (!query.serves()) {
    variables["preprocess_on"] = option.preprocess_on_gpu ? "gpu" : "cpu";
  }
  if (has_backward(query.phase)) {
    add_training(query, option, variables);
    return;
  }
  if (query.writing.of_texts()) {
    add_texts(query, option, variables);
  } else if (shares_decoding(query, option)) {
    variables["tensor_parallel"] = option.tensor_parallel;
  }
  if (query.epochs != 1 && !query.serves()) {  // which the price is for
    variables["epochs"] = plain(query.epochs);
  }
}

}  // namespace

std::string write_terraform(const Recommendation& answer, const Option& option) {
  auto variables = machine_variables(answer, option);
  add_work(answer.query, option, variables);
  if (option.tokens) {
    add_tokens(*answer.query.tokens, *option.tokens, variables);
    add_server(answer, option, variables);
  }
  if (option.service) {
    const auto& service = *answer.query.service;
    variables["requests_per_s"] = plain(service.requests_per_s);
    variables["p99_ms"] = plain(1e3 * service.p99_s);
    variables["max_delay_ms"] = plain(1e3 * service.max_delay_s);
  }
  return pretty(variables);
}

}  // namespace rightsize
