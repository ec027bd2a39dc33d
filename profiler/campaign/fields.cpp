#include "profiler/campaign/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "profiler/campaign/field_values.h"
#include "profiler/campaign/toml_errors.h"
#include "profiler/command/step_counter.h"

namespace rightsize {
namespace {

using Node = const toml::node&;
using namespace field_value;

Requests& requests_of(Cell& cell) {
  if (!cell.spec.workload.requests) {
    cell.spec.workload.requests.emplace();
  }
  return *cell.spec.workload.requests;
}

constexpr std::string_view a_time = "seconds, or a time like \"30s\" or \"2min\", 30 days at most";
constexpr std::string_view a_rate = "a rate like \"40MB/s\", of 1kB/s or more";
constexpr std::string_view requests_a_second = "a number of 1 or more; 0 is no limit";
constexpr std::string_view a_share = "a share like 0.03";
constexpr std::string_view a_number = "a number that is not negative";
constexpr std::string_view vcpus = "a number of vCPUs like 1.5; 0 is no limit";
constexpr std::string_view at_least_1 = "an integer of at least 1";
constexpr std::string_view at_least_0 = "an integer of at least 0";
constexpr std::string_view a_format =
    "one of synthetic, jpeg, recordio, lmdb, tfrecord, mnist, cifar, tokens";

// Kernels count whole requests a second: half of one would be none, which is no limit.
bool set_requests(const toml::node& node, double& target) {
  return set_number(node, target) && (target == 0 || target >= 1);
}

constexpr Field fields[] = {
    {"name", "of the run", "a name", [](Node n, Cell& c) { return set_text(n, c.spec.name); }},
    {"phase",
     "what is run of the network; train unless said",
     "one of train, forward, forward_backward, infer, decode, preprocess",
     [](Node n, Cell& c) {
       c.phase_given = true;
       return set_word(n, parse_phase, c.spec.workload.phase);
     }},
    {"network",
     "what is run; resnet50 unless said",
     "the name of a network, an .onnx file, or a config.json of Llama's architecture or "
     "of an encoder",
     [](Node n, Cell& c) { return set_text(n, c.spec.workload.network); }},
    {"command",
     "the user's own program, in place of a network",
     "a program with its arguments, as [\"python3\", \"train.py\"] or as words quoted as in a "
     "shell; what a shell does (|, >, &&, NAME=value in front) needs [\"sh\", \"-c\", \"...\"]",
     [](Node n, Cell& c) { return set_command(n, c.spec.command); }},
    {"steps",
     "how the program's steps are seen",
     "one of protocol (the default), regex:PATTERN, file:PATH, io, cpu, exit",
     [](Node n, Cell& c) { return set_steps(n, c.spec.command); }},
    {"items_per_step",
     "of the program; 1 unless said",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.command.items_per_step); }},
    {"precision",
     "fp32 unless said",
     "one of fp32, tf32, fp16, bf16",
     [](Node n, Cell& c) { return set_word(n, parse_precision, c.spec.workload.precision); }},
    {"engine",
     "who computes: this CPU, a CUDA device, or a stand-in that takes a GPU's time",
     "one of cpu, gpu, replay",
     [](Node n, Cell& c) { return set_word(n, parse_engine, c.spec.workload.engine); }},
    {"batch",
     "items per step and rank; 32 unless said",
     at_least_1,
     [](Node n, Cell& c) {
       c.batch_given = true;
       return set_count(n, 1, c.spec.workload.batch);
     }},
    {"sequence",
     "tokens per item; 0 or unsaid: the network's own",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.workload.sequence); }},
    {"ranks",
     "data-parallel copies of the network",
     "an integer from 1 to 256",
     [](Node n, Cell& c) {
       return set_count(n, 1, c.spec.workload.ranks) && c.spec.workload.ranks <= 256;
     }},
    {"exchange",
     "how ranks average their gradients; nccl unless said",
     "one of local, device, nccl",
     [](Node n, Cell& c) { return set_word(n, parse_exchange, c.spec.workload.exchange); }},
    {"compression",
     "of the gradients that ranks exchange",
     "one of none, 2bit",
     [](Node n, Cell& c) { return set_word(n, parse_compression, c.spec.workload.compression); }},
    {"serve",
     "answer requests one by one (phase infer), batched as they wait",
     "true or false",
     [](Node n, Cell& c) { return set_flag(n, c.serve); }},
    {"qps",
     "how many requests come",
     "requests per second, above 0 and at most 100000",
     [](Node n, Cell& c) {
       auto& rate = requests_of(c).per_s;
       return set_number(n, rate) && rate > 0 && rate <= 1e5;
     }},
    {"arrivals",
     "when requests come",
     "poisson, bursty:K (K together on average, as bursty:8), or a file of seconds, one a line",
     [](Node n, Cell& c) { return set_arrivals(n, requests_of(c)); }},
    {"max_batch",
     "the most requests that are answered together",
     "an integer from 1 to 4096",
     [](Node n, Cell& c) {
       return set_count(n, 1, c.max_batch.emplace()) && *c.max_batch <= 4096;
     }},
    {"max_delay",
     "how long the oldest request waits for others",
     "a time with its unit, like \"5ms\"",
     [](Node n, Cell& c) { return set_delay(n, requests_of(c).max_delay_s); }},
    {"differential",
     "three runs, with made-up, cached and cold data: how much time is lost to data?",
     "true or false",
     [](Node n, Cell& c) { return set_flag(n, c.differential); }},
    {"synthetic",
     "beside differential, of a program: how it is told to make its data up",
     "words that make your program use made-up data: NAME=value or arguments",
     [](Node n, Cell& c) { return set_text(n, c.synthetic); }},
    {"prompt",
     "phase decode: tokens in the cache when writing starts",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.workload.prompt); }},
    {"replay_items_per_s",
     "engine replay: the GPU's own rate",
     a_number,
     [](Node n, Cell& c) { return set_number(n, c.spec.workload.replay_items_per_s); }},
    {"data",
     "where items come from; synthetic unless said",
     a_format,
     [](Node n, Cell& c) { return set_word(n, parse_data_format, c.spec.workload.data); }},
    {"data_path",
     "the file or folder of the data set",
     "the path of a dataset",
     [](Node n, Cell& c) { return set_text(n, c.spec.workload.data_path); }},
    {"shuffle",
     "a new order each epoch; true unless said",
     "true or false",
     [](Node n, Cell& c) { return set_flag(n, c.spec.workload.shuffle); }},
    {"loader_threads",
     "who read and decode; 0 or unsaid: as many as vCPUs",
     "an integer from 0 to 1024",
     [](Node n, Cell& c) {
       return set_count(n, 0, c.spec.workload.loader_threads) &&
              c.spec.workload.loader_threads <= 1024;
     }},
    {"prefetch_batches",
     "minibatches ready ahead; 4 unless said",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.workload.prefetch_batches); }},
    {"preprocess_on",
     "who resizes and normalises; cpu unless said",
     "one of cpu, gpu",
     [](Node n, Cell& c) {
       return set_word(n, parse_preprocess_on, c.spec.workload.preprocess_on);
     }},
    {"output",
     "phase preprocess: what is written; lmdb unless said",
     a_format,
     [](Node n, Cell& c) { return set_word(n, parse_data_format, c.spec.workload.output); }},
    {"cpus", "limit", vcpus, [](Node n, Cell& c) { return set_number(n, c.spec.limits.cpus); }},
    {"memory",
     "limit, page cache included",
     "a size like \"512MiB\", of 1MiB or more",
     [](Node n, Cell& c) { return set_memory(n, c.spec.limits.memory_bytes); }},
    {"disk_read",
     "limit",
     a_rate,
     [](Node n, Cell& c) { return set_disk_rate(n, c.spec.limits.disk_read_bytes_per_s); }},
    {"disk_write",
     "limit",
     a_rate,
     [](Node n, Cell& c) { return set_disk_rate(n, c.spec.limits.disk_write_bytes_per_s); }},
    {"disk_read_iops",
     "limit of read requests a second",
     requests_a_second,
     [](Node n, Cell& c) { return set_requests(n, c.spec.limits.disk_read_iops); }},
    {"disk_write_iops",
     "limit of write requests a second",
     requests_a_second,
     [](Node n, Cell& c) { return set_requests(n, c.spec.limits.disk_write_iops); }},
    {"gpu_memory",
     "limit",
     "a size like \"8GiB\", of 1MiB or more",
     [](Node n, Cell& c) { return set_memory(n, c.spec.limits.gpu_memory_bytes); }},
    {"gpu_share",
     "limit",
     "a share of the GPU's multiprocessors, above 0 and at most 1",
     [](Node n, Cell& c) {
       auto& share = c.spec.limits.gpu_share;
       const bool good = set_number(n, share) && share > 0 && share <= 1;
       share = share == 1 ? 0 : share;  // all of it is no limit
       return good;
     }},
    {"isa",
     "the newest instructions that kernels may use",
     "one of sse41, avx2, avx512",
     [](Node n, Cell& c) { return set_isa(n, c.spec.limits.isa); }},
    {"seconds",
     "the whole run at most, warm-up included; 10 s unless said",
     a_time,
     [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.max_s); }},
    {"min_seconds",
     "measured at least, however quiet; 2 s unless said",
     a_time,
     [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.min_s); }},
    {"warmup",
     "not counted, at most; 3 s unless said",
     a_time,
     [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.max_warmup_s); }},
    {"window",
     "one sample of the rate; 0.5 s unless said",
     a_time,
     [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.window_s); }},
    {"min_windows",
     "samples at least; 6 unless said",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.stop.min_windows); }},
    {"min_epochs",
     "passes over the data at least, where time allows; 2 unless said",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.stop.min_epochs); }},
    {"max_noise",
     "the run may end when the median is known this well; 0.03 unless said",
     a_share,
     [](Node n, Cell& c) { return set_number(n, c.spec.stop.noise_target); }},
    {"noise_limit",
     "a run less well known than this is untrusted; 0.10 unless said",
     a_share,
     [](Node n, Cell& c) { return set_number(n, c.spec.stop.noise_limit); }},
    {"timeout",
     "the run is ended then; unsaid: three times its seconds and a minute",
     a_time,
     [](Node n, Cell& c) { return set_seconds(n, c.spec.timeout_s); }},
    {"seed",
     "of the data's order and the starting weights; 1 unless said",
     at_least_0,
     [](Node n, Cell& c) {
       int seed = 0;
       const bool good = set_count(n, 0, seed);
       c.spec.seed = static_cast<std::uint64_t>(seed);
       return good;
     }},
    {"repeats",
     "of each run, turn about with the others; 1 unless said",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.repeats); }},
};

}  // namespace

std::span<const Field> campaign_fields() {
  return fields;
}

const Field* find_field(std::string_view name) {
  const auto* found = std::find_if(
      std::begin(fields), std::end(fields), [&](const Field& field) { return field.name == name; });
  return found == std::end(fields) ? nullptr : found;
}

std::string refusal(const Field& field, const toml::node& value) {
  constexpr std::string_view word = "regex:";
  const auto text = value.value_exact<std::string>().value_or("");
  const auto problem = field.name == "steps" && text.starts_with(word) && text.size() > word.size()
                           ? pattern_problem(text.substr(word.size()))
                           : "";
  const bool several = value.is_array() && field.name != "command";
  return problem.empty()
             ? expected_words(field.expected, value) +
                   (several ? fmt::format("; a list of values goes under axes = {{{} = [...]}}",
                                          field.name)
                            : "")
             : fmt::format("no regular expression: {}; a bracket to be found is written \\( or \\[",
                           problem);
}

}  // namespace rightsize
