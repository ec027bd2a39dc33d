// What the user's program is told by its environment: how the option was sized is how it has to
// run.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/longest_request.h"
#include "advisor/export/server_command.h"
#include "advisor/query/job_work.h"
#include "advisor/query/tuning_words.h"
#include "advisor/tokens/weights_taken.h"
#include "advisor/update_batch.h"
#include "kernels/longer_sequence.h"
#include "kernels/network.h"
#include "kernels/networks/program.h"
#include "kernels/networks/recommendation/recommendation.h"

namespace rightsize {
namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

// What an update takes of whom; nothing beyond its batch of one GPU that updates after each.
void add_batches(const Query& query, const Option& option, Environment& environment) {
  const auto batch = update_batch(query, option);
  if (gpus_per_copy(option) > 1) {
    environment.emplace_back("TENSOR_PARALLEL", std::to_string(option.tensor_parallel));
    environment.emplace_back("PIPELINE_PARALLEL", std::to_string(option.pipeline_parallel));
    if (option.virtual_pipeline > 1) {
      environment.emplace_back("VIRTUAL_PIPELINE", std::to_string(option.virtual_pipeline));
    }
    if (option.context_parallel > 1) {
      environment.emplace_back("CONTEXT_PARALLEL", std::to_string(option.context_parallel));
    }
    environment.emplace_back("DATA_PARALLEL", std::to_string(batch.copies));
    environment.emplace_back("MICRO_BATCH", std::to_string(batch.micro_batch));
  }
  if (batch.passes > 1) {
    environment.emplace_back("GRADIENT_ACCUMULATION", std::to_string(batch.passes));
  }
  if (batch.global() != option.batch_per_gpu) {
    environment.emplace_back("GLOBAL_BATCH", std::to_string(batch.global()));
  }
}

// How the GPUs share a network that is trained, and what is trained of it; nothing where each GPU
// trains a whole copy, which is what programs do by themselves.
void add_training(const Query& query, const Option& option, Environment& environment) {
  if (query.tuning.adapters.any()) {
    environment.emplace_back("ADAPTER", to_string(query.tuning.adapters));
  }
  const auto& state = query.tuning.state;
  if (state.optimizer != OptimizerChoice::own) {
    environment.emplace_back("OPTIMIZER", std::string(to_string(state.optimizer)));
  }
  if (!state.masters) {
    environment.emplace_back("MASTER_WEIGHTS", "none");
  }
  add_batches(query, option, environment);
  if (query.expert_parallel > 1) {
    environment.emplace_back("EXPERT_PARALLEL", std::to_string(query.expert_parallel));
  }
  if (query.expert_tensor_parallel > 0) {  // Megatron's --expert-tensor-parallel-size
    environment.emplace_back("EXPERT_TENSOR_PARALLEL",
                             std::to_string(query.expert_tensor_parallel));
  }
  if (divides_optimizer(query, option)) {  // Megatron's --use-distributed-optimizer
    environment.emplace_back("DISTRIBUTED_OPTIMIZER", "1");
  }
  if (option.sharded) {
    environment.emplace_back("SHARD_PARAMETERS", "1");
  } else if (query.exchange && !option.exchange.empty()) {
    environment.emplace_back("EXCHANGE", std::string(to_string(*query.exchange)));
  }
  if (option.recompute) {
    environment.emplace_back("RECOMPUTE", "1");
  }
}

// As a server is told it, whose program works through the list too.
Environment text_environment(const Query& query, const Option& option) {
  const auto& writing = query.writing;
  Environment environment{
      {"TENSOR_PARALLEL", std::to_string(option.tensor_parallel)},
      {"REPLICAS", fmt::format("{:.0f}", std::floor(option.gpus / option.tensor_parallel))},
      {"MAX_SEQUENCES", std::to_string(option.batch_per_gpu)},
      {"MAX_TOKENS", std::to_string(writing.prompt_tokens + writing.output_tokens)},
      {"PRECISION", std::string(to_string(option.precision))}};
  if (option.attention != AttentionSharing::by_heads) {
    environment.emplace_back("ATTENTION", std::string(to_string(option.attention)));
  }
  return environment;
}

Environment step_environment(const Query& query, const Option& option) {
  Environment environment{{is_batch_of_gpu(query, option) ? "BATCH_PER_GPU" : "BATCH",
                           std::to_string(option.batch_per_gpu)},
                          {"PRECISION", std::string(to_string(option.precision))}};
  if (const auto length = sequence_length(query)) {
    environment.emplace_back("SEQUENCE_LENGTH", std::to_string(*length));
  }
  return environment;
}

Environment network_environment(const Query& query, const Option& option) {
  const bool shared = shares_decoding(query, option) && !query.writing.of_texts();
  auto environment =
      query.writing.of_texts() ? text_environment(query, option) : step_environment(query, option);
  const auto weights = query.phase == Phase::decode ? weights_taken(query) : WeightFormat::own;
  if (query.writing != Writing{} || weights != WeightFormat::own) {
    environment.emplace_back("WEIGHTS", std::string(to_string(weights)));
    environment.emplace_back("CACHES", query.writing.fp8_caches ? "fp8" : "own");
  }
  if (has_backward(query.phase) || query.epochs != 1) {  // which the price is for
    environment.emplace_back("EPOCHS", fmt::format("{:g}", query.epochs));
  }
  if (has_backward(query.phase)) {
    add_training(query, option, environment);
  } else if (shared) {  // by copies of so many GPUs, whose batch it is
    environment.emplace_back("TENSOR_PARALLEL", std::to_string(option.tensor_parallel));
  }
  if (option.preprocess_on_gpu) {
    environment.emplace_back("PREPROCESS_ON", "gpu");
  }
  return environment;
}

}  // namespace

JobProgram job_program(const Query& query) {
  if (const auto own = program_named(query.network)) {
    return {"run", "runs", "RUN_COMMAND", own->ends_with(".py") ? "python " + *own : "./" + *own};
  }
  switch (query.phase) {
    case Phase::preprocess:
      return {"preprocess", "preprocesses", "PREPROCESS_COMMAND", "python preprocess.py"};
    case Phase::infer:
    case Phase::forward:
    case Phase::decode:
      return {"infer", "infers", "INFER_COMMAND", "python infer.py"};
    case Phase::train:
    case Phase::forward_backward:
      return {"train", "trains", "TRAIN_COMMAND", "python train.py"};
  }
  throw std::logic_error("a phase without a program");
}

Environment job_environment(const Recommendation& answer, const Option& option) {
  const auto& query = answer.query;
  switch (work_of(query)) {
    case JobWork::preprocessing:
      return {{"READS", std::string(to_string(query.format))},
              {"WRITES", std::string(to_string(query.writes))},
              {"WORKERS", fmt::format("{:.0f}", std::max(1.0, std::floor(option.vcpus)))}};
    case JobWork::program:
      return {{"EPOCHS", fmt::format("{:g}", query.epochs)}};
    case JobWork::network:
      break;
  }
  return network_environment(query, option);
}

// Halved until the first request of a full one, which has waited for the others, is answered within
// the limit: larger ones would come up only where requests are late already, and make them later.
int largest_in_time(const Service& service, const Option& option) {
  int batch = option.batch_per_gpu;
  while (option.service && batch > 1 &&
         service.max_delay_s + option.service->server.time.seconds(batch) > service.p99_s) {
    batch /= 2;
  }
  return batch;
}

std::optional<int> sequence_length(const Query& query) {
  if (!has_network(query) || query.tokens || query.phase == Phase::decode ||
      is_recommendation(query.network)) {
    return std::nullopt;
  }
  const auto network = make_network(query.network, query.sequence, query.phase);
  return network.reads_tokens() ? std::optional(network.input.positions()) : std::nullopt;
}

Environment server_environment(const Recommendation& answer, const Option& option) {
  if (option.tokens) {
    const auto& tokens = *answer.query.tokens;
    const auto& server = option.tokens->server;
    Environment environment{
        {"TENSOR_PARALLEL", std::to_string(server.gpus_each())},
        {"REPLICAS", std::to_string(server.replicas)},
        {"MAX_SEQUENCES", std::to_string(option.tokens->expected.point.most_sequences)},
        {"MAX_TOKENS", std::to_string(longest_request(tokens, answer.query.network).tokens)},
        {"PRECISION", std::string(to_string(server.precision))},
        {"WEIGHTS", std::string(to_string(server.weights))},
        {"CACHES", server.fp8_caches ? "fp8" : "own"}};
    if (server.attention != AttentionSharing::by_heads) {
      environment.emplace_back("ATTENTION", std::string(to_string(server.attention)));
    }
    return environment;
  }
  const auto& service = *answer.query.service;
  return {{"MAX_BATCH", std::to_string(largest_in_time(service, option))},
          {"MAX_DELAY_MS", fmt::format("{:g}", 1e3 * service.max_delay_s)},
          {"PRECISION", std::string(to_string(option.precision))}};
}

std::string_view missing_variable(const Recommendation& answer, const Option& option) {
  return server_command(answer, option) ? "MODEL" : "SERVE_COMMAND";
}

}  // namespace rightsize
