#include "profiler/campaign/fields.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "profiler/campaign/toml_errors.h"
#include "profiler/campaign/units.h"
#include "profiler/command/step_counter.h"

namespace rightsize {
namespace {

using Node = const toml::node&;

template <typename Enum>
bool set_word(Node node, std::optional<Enum> (*parse)(std::string_view), Enum& target) {
  const auto text = node.value_exact<std::string>();
  const auto value = text ? parse(*text) : std::nullopt;
  target = value.value_or(target);
  return value.has_value();
}

bool set_text(Node node, std::string& target) {
  const auto text = node.value_exact<std::string>();
  target = text.value_or("");
  return text.has_value() && !text->empty();
}

bool set_count(Node node, int least, int& target) {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < least || *value > std::numeric_limits<int>::max()) {
    return false;
  }
  target = static_cast<int>(*value);
  return true;
}

bool set_number(Node node, double& target) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  target = value.value_or(target);
  return value && *value >= 0;
}

bool set_seconds(Node node, double& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto seconds = parse_seconds(*text);
    target = seconds.value_or(target);
    return seconds.has_value();
  }
  return set_number(node, target);
}

bool set_bytes(Node node, std::uint64_t& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto bytes = parse_bytes(*text);
    target = bytes.value_or(target);
    return bytes.has_value();
  }
  const auto value = node.value_exact<std::int64_t>();
  target = value && *value >= 0 ? static_cast<std::uint64_t>(*value) : target;
  return value && *value >= 0;
}

bool set_rate(Node node, double& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto rate = parse_bytes_per_s(*text);
    target = rate.value_or(target);
    return rate.has_value();
  }
  return set_number(node, target);
}

bool set_flag(Node node, bool& target) {
  const auto value = node.value_exact<bool>();
  target = value.value_or(target);
  return value.has_value();
}

bool set_isa(Node node, std::string& target) {
  return set_text(node, target) && (target == "sse41" || target == "avx2" || target == "avx512");
}

// A list of words, or one line that a shell would cut at blanks (no quotes: a list can say those).
bool set_command(Node node, UserCommand& command) {
  command.words.clear();
  if (const auto text = node.value_exact<std::string>()) {
    std::istringstream in(*text);
    for (std::string word; in >> word;) {
      command.words.push_back(word);
    }
  } else if (const auto* list = node.as_array()) {
    for (const auto& word : *list) {
      const auto text_word = word.value_exact<std::string>();
      if (!text_word) {
        return false;
      }
      command.words.push_back(*text_word);
    }
  }
  return !command.words.empty();
}

bool set_steps(Node node, UserCommand& command) {
  const auto text = node.value_exact<std::string>();
  const auto rule = text ? parse_step_rule(*text) : std::nullopt;
  command.steps = rule.value_or(command.steps);
  return rule.has_value();
}

constexpr std::string_view a_time = "seconds, or a time like \"30s\" or \"2min\"";
constexpr std::string_view a_rate = "a rate like \"40MB/s\"";
constexpr std::string_view a_share = "a share like 0.03";
constexpr std::string_view a_number = "a number that is not negative";
constexpr std::string_view at_least_1 = "an integer of at least 1";
constexpr std::string_view at_least_0 = "an integer of at least 0";
constexpr std::string_view a_format =
    "one of synthetic, jpeg, recordio, lmdb, tfrecord, mnist, cifar, tokens";

constexpr Field fields[] = {
    {"name", "a name", [](Node n, Cell& c) { return set_text(n, c.spec.name); }},
    {"phase",
     "one of train, forward, forward_backward, infer, decode, preprocess",
     [](Node n, Cell& c) { return set_word(n, parse_phase, c.spec.workload.phase); }},
    {"network",
     "the name of a network, an .onnx file, or a config.json of Llama's architecture",
     [](Node n, Cell& c) { return set_text(n, c.spec.workload.network); }},
    {"command",
     "a program with its arguments: [\"python3\", \"train.py\"]",
     [](Node n, Cell& c) { return set_command(n, c.spec.command); }},
    {"steps",
     "one of protocol (the default), regex:PATTERN, file:PATH, io, cpu, exit",
     [](Node n, Cell& c) { return set_steps(n, c.spec.command); }},
    {"items_per_step",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.command.items_per_step); }},
    {"precision",
     "one of fp32, tf32, fp16, bf16",
     [](Node n, Cell& c) { return set_word(n, parse_precision, c.spec.workload.precision); }},
    {"engine",
     "one of cpu, gpu, replay",
     [](Node n, Cell& c) { return set_word(n, parse_engine, c.spec.workload.engine); }},
    {"batch", at_least_1, [](Node n, Cell& c) { return set_count(n, 1, c.spec.workload.batch); }},
    {"sequence",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.workload.sequence); }},
    {"ranks",
     "an integer from 1 to 256",
     [](Node n, Cell& c) {
       return set_count(n, 1, c.spec.workload.ranks) && c.spec.workload.ranks <= 256;
     }},
    {"exchange",
     "one of local, device, nccl",
     [](Node n, Cell& c) { return set_word(n, parse_exchange, c.spec.workload.exchange); }},
    {"compression",
     "one of none, 2bit",
     [](Node n, Cell& c) { return set_word(n, parse_compression, c.spec.workload.compression); }},
    {"prompt", at_least_0, [](Node n, Cell& c) { return set_count(n, 0, c.spec.workload.prompt); }},
    {"replay_items_per_s",
     a_number,
     [](Node n, Cell& c) { return set_number(n, c.spec.workload.replay_items_per_s); }},
    {"data",
     a_format,
     [](Node n, Cell& c) { return set_word(n, parse_data_format, c.spec.workload.data); }},
    {"data_path",
     "the path of a dataset",
     [](Node n, Cell& c) { return set_text(n, c.spec.workload.data_path); }},
    {"shuffle",
     "true or false",
     [](Node n, Cell& c) { return set_flag(n, c.spec.workload.shuffle); }},
    {"loader_threads",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.workload.loader_threads); }},
    {"prefetch_batches",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.workload.prefetch_batches); }},
    {"output",
     a_format,
     [](Node n, Cell& c) { return set_word(n, parse_data_format, c.spec.workload.output); }},
    {"cpus", a_number, [](Node n, Cell& c) { return set_number(n, c.spec.limits.cpus); }},
    {"memory",
     "a size like \"512MiB\"",
     [](Node n, Cell& c) { return set_bytes(n, c.spec.limits.memory_bytes); }},
    {"disk_read",
     a_rate,
     [](Node n, Cell& c) { return set_rate(n, c.spec.limits.disk_read_bytes_per_s); }},
    {"disk_write",
     a_rate,
     [](Node n, Cell& c) { return set_rate(n, c.spec.limits.disk_write_bytes_per_s); }},
    {"disk_read_iops",
     a_number,
     [](Node n, Cell& c) { return set_number(n, c.spec.limits.disk_read_iops); }},
    {"disk_write_iops",
     a_number,
     [](Node n, Cell& c) { return set_number(n, c.spec.limits.disk_write_iops); }},
    {"gpu_memory",
     "a size like \"8GiB\"",
     [](Node n, Cell& c) { return set_bytes(n, c.spec.limits.gpu_memory_bytes); }},
    {"isa",
     "one of sse41, avx2, avx512",
     [](Node n, Cell& c) { return set_isa(n, c.spec.limits.isa); }},
    {"seconds", a_time, [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.max_s); }},
    {"min_seconds", a_time, [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.min_s); }},
    {"warmup", a_time, [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.max_warmup_s); }},
    {"window", a_time, [](Node n, Cell& c) { return set_seconds(n, c.spec.stop.window_s); }},
    {"min_windows",
     at_least_1,
     [](Node n, Cell& c) { return set_count(n, 1, c.spec.stop.min_windows); }},
    {"min_epochs",
     at_least_0,
     [](Node n, Cell& c) { return set_count(n, 0, c.spec.stop.min_epochs); }},
    {"max_noise", a_share, [](Node n, Cell& c) { return set_number(n, c.spec.stop.noise_target); }},
    {"noise_limit",
     a_share,
     [](Node n, Cell& c) { return set_number(n, c.spec.stop.noise_limit); }},
    {"timeout", a_time, [](Node n, Cell& c) { return set_seconds(n, c.spec.timeout_s); }},
    {"seed",
     at_least_0,
     [](Node n, Cell& c) {
       int seed = 0;
       const bool good = set_count(n, 0, seed);
       c.spec.seed = static_cast<std::uint64_t>(seed);
       return good;
     }},
    {"repeats", at_least_1, [](Node n, Cell& c) { return set_count(n, 1, c.repeats); }},
};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

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
  return problem.empty()
             ? fmt::format("expected {}, saw {}", field.expected, saw(value))
             : fmt::format("no regular expression: {}; a bracket to be found is written \\( or \\[",
                           problem);
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(word.size() / 3, 2);
  for (const auto candidate : known) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace rightsize
