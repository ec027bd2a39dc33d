#include "advisor/cli/asked.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/own_program.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/global_batch.h"
#include "advisor/cli/large_model_options.h"
#include "advisor/cli/loader_option.h"
#include "advisor/cli/machine_option.h"
#include "advisor/cli/own_machines.h"
#include "advisor/cli/setting_options.h"
#include "advisor/cli/tables.h"
#include "advisor/cli/usual_data.h"
#include "advisor/cli/way_options.h"
#include "advisor/cli/writing_options.h"
#include "advisor/machine/machine_keys.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/grammars.h"
#include "advisor/query/quantised_name.h"
#include "advisor/query/query.h"
#include "advisor/query/software_words.h"
#include "advisor/query/usual_precision.h"
#include "advisor/query/words.h"
#include "advisor/query/writing_words.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/program.h"
#include "kernels/onnx/onnx.h"
#include "kernels/work.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// Of a service only that of its requests.
void read_phase(const Values& values, Configuration& asked) {
  asked.phase = meant<Phase>(values, "phase", phase_meant, phase_grammar);
  if (asked.tokens && asked.phase != Phase::decode) {
    throw UsageError(
        fmt::format("--phase {}: the job file has phase = \"decode\" and [service]; leave --phase "
                    "out",
                    to_string(asked.phase)));
  }
  if (asked.service && asked.phase != Phase::infer) {
    throw UsageError(
        fmt::format("--phase {}: the job file has [service], whose requests are "
                    "inferred; leave --phase out",
                    to_string(asked.phase)));
  }
}

// What is given over the job file's, or all of it without one.
void read_flags(const Values& values, bool has_job, Configuration& asked) {
  const auto use = [&](const char* option) {
    return values.count(option) > 0 && (!has_job || given(values, option));
  };
  if (use("network")) {
    asked.network = rooted_network(network_meant(values["network"].as<std::string>()), "");
    asked.form_of_framework = false;  // who names a form means it
  }
  if (use("phase")) {
    read_phase(values, asked);
  }
  if (auto named = use("network") && asked.phase == Phase::decode
                       ? quantised_name(values["network"].as<std::string>())
                       : std::nullopt) {
    asked.network = std::move(named->network);
    (asked.tokens ? asked.tokens->weights : asked.writing.weights) = named->weights;
  }
  const auto narrow = given(values, "precision") && asked.phase == Phase::decode
                          ? weights_as_precision(values["precision"].as<std::string>())
                          : std::nullopt;
  if (narrow) {  // --weights is read later
    (asked.tokens ? asked.tokens->weights : asked.writing.weights) = narrow;
    asked.precision_said = asked.precision_said && has_job;
  } else if (use("precision")) {
    asked.precision = meant<Precision>(values, "precision", precision_meant, precision_grammar);
    asked.precision_said = true;
  }
  if (!has_job && !given(values, "precision")) {
    asked.precision_said = false;  // usual_precision() then
  }
  if (given(values, "batch")) {
    read_batch(values, asked);
  }
  if (use("data")) {
    asked.data = meant<DataFormat>(values, "data", data_meant, data_grammar);
    asked.bytes = has_job ? asked.bytes : imagenet_bytes(asked.data);
    asked.shuffle = asked.data != DataFormat::lmdb && asked.data != DataFormat::tokens;
  }
  if (given(values, "items")) {  // as large as they were, unless --bytes says otherwise
    const auto items = items_option(values);
    asked.bytes = bytes_of(items, asked.bytes, asked.items);
    asked.items = items;
  }
  if (given(values, "bytes")) {
    asked.bytes = parse_size(values["bytes"].as<std::string>(), "--bytes");
  }
}

}  // namespace

void add_asked_work_options(Options& options) {
  add_large_model_options(options);
  options.add_options()(
      "precision",
      po::value<std::string>()->default_value("fp16"),
      "fp32, tf32, fp16, bf16 or fp8 (language models' products of linear layers "
      "in training; else as bf16); where it is not given fp16 on GPUs that have "
      "it, as of a job file, and fp32 on others, of --stack era and on CPUs; with phase "
      "decode fp8, int8, int4 and so on are the weights'")(
      "sequence", po::value<int>()->default_value(0), "tokens per item; 0 = the network's own")(
      "stack", po::value<std::string>(), "era (2015-2018) or current; default: the best evidence")(
      "framework",
      po::value<std::string>(),
      "PyTorch, TensorFlow, MXNet, ..., of language models also NeMo, MaxText; default: the job "
      "file's, else as advise takes it (PyTorch on GPUs with tensor cores); without a job file "
      "any, with a wider interval; with phase decode what writes tokens: TensorRT-LLM, "
      "llama.cpp, ...")(
      "exchange",
      po::value<std::string>(),
      "of gradients: local, device, nccl or sharded (FSDP, ZeRO stage 3); default: the fastest "
      "on these links that fits")(
      "recompute",
      po::value<bool>(),
      "run blocks again in the backward pass (activation checkpointing): true or "
      "false; default: where nothing else fits")(
      "compression", po::value<std::string>()->default_value("none"), compression_grammar)(
      "preprocess-on", po::value<std::string>(), "resize and normalise on: cpu, gpu or either")(
      "global-batch",
      po::value<int>(),
      "items an update of all GPUs together: strong scaling; beside --batch it says how many "
      "minibatches are accumulated")(
      "job", po::value<std::string>(), "a job file as advise reads it");
  add_writing_options(options);
  add_measured_option(options);
  add_loader_option(options);
}

void add_asked_options(Options& options) {
  options.add_options()(
      "machine",
      po::value<std::string>(),
      "a machine never measured: gpu=V100:8,vcpus=64,memory=488GiB,disk=gp3:500GiB,link=nvlink,"
      "nodes=2,net=ib:100,cpu=p3.16xlarge (of one node; what is left out does not limit), a TOML "
      "file with these keys, or what is sold: aws/g5.xlarge,disk=gp3:500GiB");
  add_price_files_option(options);
  add_on_prem_option(options);
  add_asked_work_options(options);
}

std::uint64_t items_option(const Values& values) {
  const auto items = values["items"].as<std::uint64_t>();
  if (items < 1) {
    throw UsageError("--items 0: expected the number of items in the data set, at least 1");
  }
  return items;
}

std::uint64_t bytes_of(std::uint64_t items, std::uint64_t bytes, std::uint64_t of_items) {
  const double each =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(of_items, 1));
  return static_cast<std::uint64_t>(std::llround(each * static_cast<double>(items)));
}

bool asks_machine(const Values& values) {
  return values.count("machine") > 0 || values.count("job") > 0;
}

namespace {

// How GPUs are to train, and where pictures are decoded.
void read_way(const Values& values, Configuration& asked) {
  if (values.count("exchange") > 0) {
    asked.exchange = meant<Exchange>(values, "exchange", parse_exchange, exchange_grammar);
  }
  if (values.count("recompute") > 0) {
    asked.recompute = values["recompute"].as<bool>();
  }
  if (values.count("preprocess-on") > 0) {
    asked.preprocess_on = meant<PreprocessChoice>(
        values, "preprocess-on", parse_preprocess_choice, preprocess_grammar);
  }
  if (given(values, "preprocess-output")) {
    asked.writes =
        meant<DataFormat>(values, "preprocess-output", parse_picture_format, picture_formats);
  }
  if (asked.phase == Phase::preprocess) {
    check_preprocessing(asked);
  }
}

}  // namespace

Configuration work_from(const Values& values) {
  const bool has_job = values.count("job") > 0;
  Configuration asked =
      has_job ? configuration_of(load_query(values["job"].as<std::string>())) : Configuration{};
  read_flags(values, has_job, asked);
  if (!has_job || !values["sequence"].defaulted()) {
    asked.sequence = values["sequence"].as<int>();
  }
  if (asked.sequence < 0) {
    throw UsageError("--sequence: expected tokens per item, or 0 for the network's own");
  }
  read_writing(values, asked);
  const auto network =
      make_network(asked.network, asked.sequence, asked.phase);  // a typing mistake, told at once
  if (!has_job) {
    take_usual_data(values, network, asked);
  }
  if (values.count("stack") > 0) {
    asked.stack = meant<Stack>(values, "stack", stack_meant, stack_grammar);
  }
  read_framework(values, asked.phase, asked.tokens, asked.framework, asked.stack);
  take_form_of_framework(asked);
  if (!asked.precision_said) {
    asked.precision = usual_precision(asked.stack);
  }
  read_way(values, asked);
  read_model_parallel(values, asked, asked.tokens);
  read_tuning(values, asked);
  read_measured(values, asked.measured);
  read_loader(values, asked);
  asked.compression =
      meant<Compression>(values, "compression", parse_compression, compression_grammar);
  return asked;
}

Configuration configuration_from(const Values& values) {
  for (const auto* flag : {"cpus",
                           "cpu-speed",
                           "memory",
                           "resident",
                           "disk-read",
                           "disk-write",
                           "disk-iops",
                           "gpu-rate"}) {
    if (given(values, flag)) {
      const auto meant = machine_key_meant(flag);
      throw UsageError(
          values.count("machine") > 0
              ? fmt::format("--{} and --machine both describe the machine; {}",
                            flag,
                            meant.empty()
                                ? "leave it out"
                                : fmt::format("put it into --machine, after a comma, as {}", meant))
              : fmt::format("--{} is of a data path from its parts; here the machine is named: add "
                            "--machine gpu=V100:1,vcpus=8,memory=61GiB in its place",
                            flag));
    }
  }
  if (values.count("machine") == 0) {
    throw UsageError(
        "which machine? Add --machine gpu=V100:1,vcpus=8,memory=61GiB, or name an instance such as "
        "aws/g5.xlarge, or a TOML file");
  }
  auto asked = work_from(values);
  const auto between = asked.machine.interconnect;  // the job's
  asked.machine =
      machine_option(values["machine"].as<std::string>(), catalog_with_price_files(values));
  if (auto& stated = asked.machine.interconnect; !stated.fabric) {
    stated.fabric = between.fabric;
    stated.fabric_gbit_per_s = between.fabric_gbit_per_s;
  }
  asked.loader_threads = given(values, "loader-threads") ? loader_threads_option(values) : 0;
  read_global_batch(values, asked);
  if (values.count("global-batch") > 0 && !is_batch(asked.batch.value_or(1))) {
    throw UsageError(fmt::format("--global-batch {}: {} of them are for each GPU; expected {}",
                                 values["global-batch"].as<int>(),
                                 *asked.batch,
                                 batch_grammar));
  }
  return asked;
}

Estimator estimator_for(const Values& values, const Configuration& asked) {
  std::string note;
  auto model = model_or_shipped(values, note);
  require_loader(model, asked.loader);
  if (program_named(asked.network)) {
    static_cast<void>(required_program(model, asked.network));
  }
  auto rates = gpu_rates_with(model);
  add_own_rates(rates, measured_rates(asked));
  return {std::move(model),
          std::move(rates),
          shipped_cpu_speeds(),
          catalog_with_price_files(values),
          note};
}

}  // namespace rightsize::cli
