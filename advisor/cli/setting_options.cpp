#include "advisor/cli/setting_options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/host_memory.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/own_program.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"
#include "advisor/machine/loader_threads.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/query.h"
#include "advisor/query/words.h"
#include "kernels/gibibyte.h"
#include "kernels/network.h"
#include "kernels/networks/program.h"
#include "kernels/onnx/onnx.h"
#include "kernels/work.h"
#include "models/carry.h"
#include "models/program_work.h"
#include "models/workload_parts.h"
#include "profiler/campaign/units.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t usual_items = 1'281'167;  // ImageNet's

template <typename Enum>
Enum word(const Values& values,
          const char* option,
          std::optional<Enum> (*parse_word)(std::string_view)) {
  const auto text = values[option].as<std::string>();
  const auto parsed = parse_word(text);
  if (!parsed) {
    throw UsageError(fmt::format("--{} {}: not a value this version knows", option, text));
  }
  return *parsed;
}

double rate_option(const Values& values, const char* option) {
  const auto text = values[option].as<std::string>();
  if (text.empty()) {
    return 0;
  }
  const auto rate = parse_bytes_per_s(text);
  if (!rate || *rate <= 0 || text.find('B') == std::string::npos) {
    throw UsageError(fmt::format("--{} {}: expected a rate such as 80MB/s", option, text));
  }
  return *rate;
}

// A program of the user's: what it reads is its own, and its items per step are part of the law.
void as_program(const Values& values, const Model& model, Workload& workload) {
  const auto work = program_work(model, workload.network);
  for (const auto* flag : {"disk-read", "disk-iops", "bytes", "items"}) {
    if (given(values, flag)) {
      throw UsageError(fmt::format(
          "--{}: {} is a program of yours, and --cpus asks for its vCPUs alone; what it reads is "
          "part of a job file, asked with --machine vcpus=2,memory=8GiB,disk=gp3:100GiB",
          flag,
          workload.network));
    }
  }
  if (!values["data"].defaulted()) {
    throw UsageError(fmt::format(
        "--data {}: {} is a program of yours that was profiled with data of its own; leave it out",
        values["data"].as<std::string>(),
        workload.network));
  }
  if (work && values["batch"].defaulted()) {
    workload.batch = work->cpus.batch;
  } else if (work && workload.batch != work->cpus.batch) {
    throw UsageError(fmt::format("--batch {}: {} was profiled in steps of {}; leave it out",
                                 workload.batch,
                                 workload.network,
                                 work->cpus.batch));
  } else if (values["batch"].defaulted()) {
    throw UsageError(
        fmt::format("--network {}: a program of yours, which was profiled with so many items per "
                    "step; name them as --batch (1, unless --items-per-step was given)",
                    workload.network));
  }
  if (values["gpu-rate"].as<double>() > 0) {
    throw UsageError(fmt::format(
        "--gpu-rate: {} is a program of yours, measured on CPUs; leave it out", workload.network));
  }
  workload.data = DataFormat::synthetic;
  workload.phase = work ? work->phase : workload.phase;
  workload.precision = work ? work->precision : workload.precision;
}

// The parts of a setting scale what was measured; a machine is asked of the laws.
void check_measured(const Model& model, const Setting& setting) {
  const auto& work = setting.workload;
  if (work.engine == EngineKind::cpu && !measured_compute(model, work)) {
    throw UsageError(fmt::format(
        "--cpus {:g}: {} was not measured here on a CPU; --machine vcpus={:g} estimates "
        "it by the law of CPUs, and rightsize profile {} --phase {} measures it",
        setting.cpus,
        compute_key(work),
        setting.cpus,
        work.network,
        to_string(work.phase)));
  }
}

// What the processes hold, of a network that the CPU runs; as stated, where it is.
void read_memory(const Values& values, bool of_network, Setting& setting) {
  setting.memory_bytes = parse_size(values["memory"].as<std::string>(), "--memory");
  setting.resident_bytes = parse_size(values["resident"].as<std::string>(), "--resident");
  if (of_network && values["resident"].defaulted()) {
    const auto& work = setting.workload;
    const NetworkFacts facts(work.network, work.sequence, {}, work.phase);
    const double needed =
        host_memory_bytes(setting,
                          work.batch * facts.input_bytes,
                          0,
                          static_cast<double>(device_memory_bytes(
                              facts.network, work.phase, work.precision, work.batch)));
    const auto gib = static_cast<double>(setting.memory_bytes) / bytes_per_gib;
    if (const auto shortage = host_memory_shortage(needed, gib); !shortage.empty()) {
      throw UsageError(fmt::format(
          "--memory {}: {}; a smaller --batch needs less, and --resident says what yours holds",
          values["memory"].as<std::string>(),
          shortage));
    }
    setting.resident_bytes = static_cast<std::uint64_t>(needed);
  }
  if (setting.resident_bytes > setting.memory_bytes) {
    throw UsageError(fmt::format("--resident {}: more than --memory {} has room for",
                                 values["resident"].as<std::string>(),
                                 values["memory"].as<std::string>()));
  }
}

// What may be 0 and has no end but the numbers'.
double amount(const Values& values, const char* option, const char* meaning) {
  const double value = values[option].as<double>();
  if (!(value >= 0) || std::isinf(value)) {
    throw UsageError(fmt::format(
        "--{} {:g}: expected a number that is not negative: {}", option, value, meaning));
  }
  return value;
}

double positive(const Values& values, const char* option) {
  constexpr double most = 10'000;
  const double value = values[option].as<double>();
  if (!(value > 0) || value > most) {
    throw UsageError(
        fmt::format("--{} {:g}: expected a number above 0 and at most {:g}", option, value, most));
  }
  return value;
}

}  // namespace

// A volume's bandwidth is one for both directions.
void read_output(const Values& values, Setting& setting) {
  setting.workload.output = word<DataFormat>(values, "preprocess-output", parse_picture_format);
  const double write = rate_option(values, "disk-write");
  setting.disk_write_bytes_per_s = write > 0 ? write : setting.disk.bytes_per_s;
}

void add_work_options(Options& options, const char* phases) {
  options.add_options()("network", po::value<std::string>()->default_value("resnet50"), "")(
      "phase", po::value<std::string>()->default_value("train"), phases)(
      "batch",
      po::value<int>()->default_value(32, "32 on CPUs"),
      "per step, from 1 to 65536; of each GPU, where without it it is the largest power of two up "
      "to 128 (65536 of recommenders) that fits, sharded or recomputed where that is faster")(
      "data", po::value<std::string>()->default_value("recordio"), data_grammar)(
      "items",
      po::value<std::uint64_t>()->default_value(usual_items),
      "items in the data set: images, sequences")(
      "bytes",
      po::value<std::string>()->default_value("140GB"),
      "size of the data set; without it items are as large as ImageNet's");
}

void add_setting_options(Options& options, const char* phases) {
  add_work_options(options, phases);
  options.add_options()("gpu-rate",
                        po::value<double>()->default_value(0),
                        "the accelerator's own items/s; 0 = the CPU does the network")(
      "cpus", po::value<double>()->default_value(4), "vCPUs")(
      "cpu-speed", po::value<double>()->default_value(1), "per vCPU; the measured machine = 1")(
      "memory", po::value<std::string>()->default_value("16GiB"), "host memory")(
      "resident",
      po::value<std::string>()->default_value("1GiB", "1GiB, or what a network on the CPU takes"),
      "of it, what the processes hold")("disk-read",
                                        po::value<std::string>()->default_value(""),
                                        "such as 80MB/s; empty = as fast as the measured one")(
      "disk-iops", po::value<double>()->default_value(0), "0 = not a limit")(
      "loader-threads", po::value<int>()->default_value(0), "0 = one per vCPU");
}

bool is_program(const Workload& workload, const Model& model) {
  const auto& network = workload.network;
  return !is_network(without_form(network)) && measured_compute(model, workload);
}

int loader_threads_option(const Values& values) {
  const int threads = values["loader-threads"].as<int>();
  if (threads < 0 || threads > 10'000) {
    throw UsageError(
        fmt::format("--loader-threads {}: expected 1 to 10000, or 0 for one per vCPU", threads));
  }
  return threads;
}

namespace {

// How many items there are, and how large: where nothing is said as many as the network usually
// has.
void read_data_set(const Values& values, Setting& setting) {
  auto& workload = setting.workload;
  if (workload.data == DataFormat::synthetic) {
    return;
  }
  setting.dataset_items = items_option(values);
  const auto bytes = parse_size(values["bytes"].as<std::string>(), "--bytes");
  const bool usual_bytes = values["bytes"].defaulted();
  setting.dataset_bytes = usual_bytes ? bytes_of(setting.dataset_items, bytes, usual_items) : bytes;
  if (workload.phase == Phase::preprocess) {
    return;
  }
  if (const auto samples = usual_samples(workload.network)) {
    workload.shuffle = false;
    if (values["items"].defaulted()) {
      setting.dataset_items = samples->items;
    }
    if (usual_bytes) {
      setting.dataset_bytes = samples->bytes_of(setting.dataset_items);
    }
  }
}

}  // namespace

Setting setting_from(const Values& values, const Model& model) {
  Setting setting;
  auto& workload = setting.workload;
  workload.network = network_meant(values["network"].as<std::string>());
  workload.phase = word<Phase>(values, "phase", parse_phase);
  workload.data = word<DataFormat>(values, "data", parse_data_format);
  workload.batch = values["batch"].as<int>();
  if (!is_batch(workload.batch)) {
    throw UsageError(fmt::format("--batch {}: expected {}", workload.batch, batch_grammar));
  }
  setting.accelerator_items_per_s =
      amount(values, "gpu-rate", "items/s, or 0 where the CPU does the network");
  setting.disk.iops = amount(values, "disk-iops", "reads a second, or 0 where they are no limit");
  workload.engine = setting.accelerator_items_per_s > 0 ? EngineKind::replay : EngineKind::cpu;
  workload.replay_items_per_s = setting.accelerator_items_per_s;
  setting.cpus = positive(values, "cpus");
  setting.cpu_speed = positive(values, "cpu-speed");
  if (workload.phase != Phase::preprocess) {
    workload.network = rooted_network(workload.network, "");
    if (const auto program = program_named(workload.network)) {
      static_cast<void>(required_program(model, workload.network));
      workload.network = *program;
    }
    if (is_program(workload, model)) {
      as_program(values, model, workload);
    } else {
      static_cast<void>(make_network(workload.network));  // a typing mistake gets the nearest name
      check_measured(model, setting);
    }
  }
  setting.disk.bytes_per_s = rate_option(values, "disk-read");
  read_data_set(values, setting);
  const int threads = loader_threads_option(values);
  setting.loader_threads = threads > 0 ? threads : usual_loader_threads(setting.cpus);
  if (is_program(workload, model) && values["resident"].defaulted()) {
    setting.memory_bytes = parse_size(values["memory"].as<std::string>(), "--memory");
  } else {
    read_memory(values, computes_on_cpu(workload) && !is_program(workload, model), setting);
  }
  return setting;
}

}  // namespace rightsize::cli
