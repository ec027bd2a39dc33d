#include "advisor/cli/way_options.h"

#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/own_program.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/large_model_options.h"
#include "advisor/cli/loader_option.h"
#include "advisor/cli/writing_options.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/grammars.h"
#include "advisor/query/job_work.h"
#include "advisor/query/software_words.h"
#include "advisor/query/usual_precision.h"
#include "models/laws/decode_software.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

void read_batch(const Values& values, Query& query) {
  if (values.count("batch") == 0) {
    return;
  }
  if (query.tokens) {
    throw UsageError("--batch: as many sequences are in flight as come and fit; leave it out");
  }
  switch (work_of(query)) {
    case JobWork::preprocessing:
      throw UsageError("--batch: preprocessing takes one picture after the other; leave it out");
    case JobWork::program:
      throw UsageError(fmt::format("--batch: {}; leave it out", steps_of_program));
    case JobWork::network:
      break;
  }
  const int batch = values["batch"].as<int>();
  if (!is_batch(batch)) {
    throw UsageError(fmt::format("--batch {}: expected {}", batch, batch_grammar));
  }
  query.batches = {batch};
}

void read_nodes(const Values& values, Query& query) {
  if (values.count("nodes-max") > 0) {
    query.nodes_max = values["nodes-max"].as<int>();
    if (query.nodes_max < 1 || query.nodes_max > most_nodes_together) {
      throw UsageError(
          fmt::format("--nodes-max: expected machines from 1 to {}", most_nodes_together));
    }
  }
  if (values.count("net") > 0) {
    query.network_between = parse_network(values["net"].as<std::string>(), "--net");
  }
}

void read_software(const Values& values, Query& query) {
  if (values.count("stack") > 0) {
    query.stack = meant<Stack>(values, "stack", stack_meant, stack_grammar);
  }
  read_framework(values, query.phase, query.tokens, query.framework, query.stack);
  take_form_of_framework(query);
  if (!query.precision_said) {
    query.precision = usual_precision(query.stack);
  }
}

void read_update(const Values& values, Query& query) {
  if (values.count("global-batch") > 0) {
    query.global_batch = values["global-batch"].as<int>();
    if (!is_global_batch(query.global_batch)) {
      throw UsageError(
          fmt::format("--global-batch {}: expected {}", query.global_batch, global_batch_grammar));
    }
  }
  if (query.global_batch > 0 && query.gpus_per_copy() > 1 && !query.batches.empty()) {
    throw UsageError(
        "--global-batch is of all GPUs together, and where several share a copy the batch of a GPU "
        "is each one's part of it: give one");
  }
}

}  // namespace

void read_framework(const Values& values,
                    Phase phase,
                    std::optional<TokenService>& tokens,
                    std::string& framework,
                    std::optional<Stack>& stack) {
  if (values.count("framework") == 0) {
    return;
  }
  const auto& text = values["framework"].as<std::string>();
  if (phase == Phase::decode) {
    (tokens ? tokens->software : framework) = meant<std::string>(
        values,
        "framework",
        decode_software,
        fmt::format("what writes tokens, {}{}",
                    known_decode_software(),
                    tokens ? "; without it the interval is that of all together" : "")
            .c_str());
    return;
  }
  const auto software = software_meant(text);
  if (!software || software->framework.empty()) {
    throw UsageError(
        fmt::format("--framework {}: expected {}; no figures of another were published",
                    text,
                    known_frameworks(text)));
  }
  framework = software->framework;
  stack = stack ? stack : software->stack;
}

void add_way_options(Options& options) {
  add_large_model_options(options);
  options.add_options()("batch",
                        po::value<int>(),
                        "items per GPU in place of the job's batch_per_gpu; of a service its "
                        "largest minibatch")(
      "global-batch",
      po::value<int>(),
      "items of an update of all GPUs together, in place of the job's global_batch: every machine "
      "trains the same, each GPU with its part at once or in accumulated minibatches")(
      "nodes-max", po::value<int>(), "machines that may train together (1)")(
      "net",
      po::value<std::string>(),
      "between them, Gb/s of a machine's ports together: ib:100, efa:400 (default: what its type "
      "is sold with, else ethernet:25)")(
      "exchange",
      po::value<std::string>(),
      "of gradients: local, device, nccl or sharded (FSDP, ZeRO stage 3); default: the fastest "
      "that "
      "fits")("recompute",
              po::value<bool>(),
              "run blocks again in the backward pass instead of keeping what they gave "
              "(activation checkpointing): true or false; default: where nothing else fits")(
      "stack", po::value<std::string>(), "libraries of: era (2015-2018) or current")(
      "framework",
      po::value<std::string>(),
      "that runs it: PyTorch, TensorFlow, MXNet, ...; default: PyTorch on GPUs with tensor cores, "
      "any on older ones; with phase = \"decode\" what writes tokens: TensorRT-LLM, llama.cpp, "
      "...")(
      "preprocess-on", po::value<std::string>(), "resize and normalise on: cpu, gpu or either");
  add_writing_options(options);
  add_measured_option(options);
  add_loader_option(options);
}

void add_measured_option(Options& options) {
  options.add_options()(
      "measured",
      po::value<std::vector<std::string>>(),
      "what your own program did on a GPU, in items a second of one: A10G=412, with the batch "
      "A10G:64=412; other GPUs' rates follow it; instead of the job file's [[measured]]; "
      "repeatable");
}

void read_measured(const Values& values, std::vector<OwnRate>& measured) {
  if (values.count("measured") == 0) {
    return;
  }
  measured.clear();
  for (const auto& text : values["measured"].as<std::vector<std::string>>()) {
    measured.push_back(parse_own_rate(text));
  }
}

void read_way_options(const Values& values, Query& query) {
  read_batch(values, query);
  read_nodes(values, query);
  if (values.count("exchange") > 0) {
    query.exchange = meant<Exchange>(values, "exchange", parse_exchange, exchange_grammar);
  }
  if (values.count("recompute") > 0) {
    query.recompute = values["recompute"].as<bool>();
  }
  read_model_parallel(values, query, query.tokens);
  read_update(values, query);
  read_tuning(values, query);
  read_software(values, query);
  read_writing(values, query);
  read_measured(values, query.measured);
  if (values.count("preprocess-on") > 0) {
    query.preprocess_on = meant<PreprocessChoice>(
        values, "preprocess-on", parse_preprocess_choice, preprocess_grammar);
  }
  read_loader(values, query);
}

}  // namespace rightsize::cli
