#include "advisor/export/exporter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/export/server_lines.h"
#include "advisor/full_name.h"
#include "advisor/lacking_precision.h"
#include "advisor/price_warnings.h"
#include "advisor/query/job_work.h"
#include "advisor/query/toml_fields.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"

namespace rightsize {
namespace {

constexpr std::array table{
    Exporter{"skypilot",
             "task.yaml",
             "sky launch {file} --env {command}='...'",
             "sky jobs launch {file} --env {command}='...'",
             "sky serve up {file} --env {command}='...'",
             write_skypilot},
    Exporter{"kubernetes",
             "pod.yaml",
             "kubectl apply -f {file}",
             "kubectl apply -f {file}",
             "kubectl apply -f {file}",
             write_kubernetes},
    Exporter{"terraform",
             "rightsize.auto.tfvars.json",
             "terraform plan -var-file={file}",
             "terraform plan -var-file={file}",
             "terraform plan -var-file={file}",
             write_terraform},
    Exporter{"slurm",
             "job.sbatch",
             "{command}='...' sbatch {file}",
             "{command}='...' sbatch {file}",
             "",
             write_slurm},
};

std::string month_text(const Option& option) {
  using namespace report;
  return fmt::format("~{} a month ({} … {}), {} intervals [{}]",
                     money(option.cost.value, option.cost.unit),
                     money(option.cost.low, option.cost.unit),
                     money(option.cost.high, option.cost.unit),
                     percent(option.cost.confidence),
                     to_string(option.cost.source));
}

std::string fleet_line(const Option& option) {
  using namespace report;
  return fmt::format("{} x {} ({}): {}, {}",
                     option.nodes,
                     instance_label(option),
                     gpu_and_place(option),
                     option.tokens
                         ? fmt::format("{} each, {}, ~{} per million tokens written",
                                       replicas_text(option.tokens->server),
                                       waiting_words(*option.tokens),
                                       fine_money(option.cost_per_1m_tokens, option.cost.unit))
                         : "p99 " + latency_text(option.p99),
                     month_text(option));
}

// How much is taken at once, in which precision; nothing of a data set that is made.
std::string batch_text(const Query& query, const Option& option) {
  if (option.tokens) {
    return fmt::format(", {}, up to {} sequences at once a replica",
                       form_words(option.tokens->server),
                       option.tokens->expected.point.most_sequences);
  }
  if (!has_network(query)) {
    return "";
  }
  const auto split = split_words(option);
  return fmt::format(", {}, batch {} per {}{}",
                     to_string(option.precision),
                     query.service ? largest_in_time(*query.service, option) : option.batch_per_gpu,
                     batch_owner(option, query.phase),
                     split.empty() ? "" : ", " + split);
}

// What is not rented has no price and no tag.
std::string disk_words(const Option& option) {
  return option.disk_bytes_per_s > 0
             ? fmt::format("{} [{}]", option.disk, to_string(option.disk_source))
             : option.disk;
}

// How many bytes at `at` are a character that YAML takes for no text, or for the end of a line:
// yaml.org/spec/1.1, "Character Set" and "Line Break Characters". Those are the control characters,
// of UTF-8 C2 80 to C2 9F among them, and U+2028 and U+2029. 0: none is.
std::size_t unprintable_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x20 || byte(at) == 0x7f) {
    return 1;
  }
  if (byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) >= 0x80 && byte(at + 1) <= 0x9f) {
    return 2;
  }
  const auto three = text.substr(at, 3);
  return three == "\u2028" || three == "\u2029" ? 3 : 0;
}

// What is no text, as JSON and YAML both name it.
std::string escaped(std::string_view bytes) {
  const auto last = static_cast<unsigned char>(bytes.back());
  return fmt::format("\\u{:04x}", bytes.size() == 3 ? 0x2000U | (last & 0x3fU) : last);
}

// The user's own machine has no market, and a price of no day.
std::string price_words(const Option& option) {
  const auto& paid = option.price_per_month ? *option.price_per_month : option.price_per_hour;
  const auto price = fmt::format("Price {} {} per {}",
                                 paid.decimal(),
                                 paid.currency(),
                                 option.price_per_month ? "month" : "hour");
  return option.own ? price + " of your machine [given]"
                    : fmt::format("{}, {}, {} [{}]",
                                  price,
                                  to_string(option.market),
                                  dated(option.price_as_of),
                                  has_assumed_price(option) ? "assumed" : "published");
}

}  // namespace

std::span<const Exporter> exporters() {
  return table;
}

const Exporter& exporter_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& exporter : table) {
    if (exporter.name == name) {
      return exporter;
    }
    names.emplace_back(exporter.name);
  }
  const auto near = nearest_word(name, names);
  throw UsageError(fmt::format("--to {}: expected {}{}",
                               name,
                               fmt::join(names, ", "),
                               near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

std::string asked_in(std::span<const std::string_view> clouds,
                     const Query& query,
                     const Option& option) {
  if (option.own && !query.infra.empty()) {  // a cloud is asked for already
    return "name one of the other machines with --option";
  }
  return fmt::format(
      "ask for --infra {}{}",
      fmt::join(clouds, " --infra "),
      query.infra.empty() ? "" : fmt::format(" in place of {}", fmt::join(query.infra, ", ")));
}

bool is_cut_to_measure(const Option& option) {
  return option.instance.find("custom-") != std::string::npos;
}

std::string machine_type(const Option& option) {
  return option.instance.substr(0, option.instance.find_first_of("+$"));
}

std::vector<std::string> heading_lines(const Recommendation& answer, const Option& option) {
  using namespace report;
  const auto& query = answer.query;
  std::vector<std::string> lines = {
      fmt::format("{}: {}{}",
                  query.name.empty() ? (query.serves() ? "service" : "job") : query.name,
                  job_text(query),
                  batch_text(query, option)),
      query.serves() ? fleet_line(option)
                     : fmt::format("{} ({}): ~{} h ({}), ~{} ({} … {}), {} intervals [{}]",
                                   instance_label(option),
                                   gpu_and_place(option),
                                   digits(option.hours.value),
                                   range(option.hours),
                                   money(option.cost.value, option.cost.unit),
                                   money(option.cost.low, option.cost.unit),
                                   money(option.cost.high, option.cost.unit),
                                   percent(option.cost.confidence),
                                   to_string(option.cost.source)),
      fmt::format("{}; disk: {}", price_words(option), disk_words(option)),
      fmt::format("Made by rightsize {} from {}", answer.tool_version, query.file)};
  if (option.attention == AttentionSharing::by_sequences) {
    const auto flags = own_sequences_flags(query.framework, option.tensor_parallel);
    lines.push_back(fmt::format(
        "{} (ATTENTION=by_sequences){}", split_words(option), flags.empty() ? "" : ": " + flags));
  }
  if (auto lacks = lacking_precision(query, option); !lacks.empty()) {
    lines.push_back("Note: " + lacks);
  }
  if (!option.satisfies) {
    lines.push_back("Does not meet the constraints: " + option.shortfall);
  }
  std::transform(lines.begin(), lines.end(), lines.begin(), one_line);
  return lines;
}

std::string heading_comment(const Recommendation& answer, const Option& option) {
  std::string out;
  for (const auto& line : heading_lines(answer, option)) {
    out += "# " + line + "\n";
  }
  return out;
}

std::string share_comment(const Query& query, const Option& option, std::string_view number) {
  return option.nodes == 1 || has_backward(query.phase)
             ? ""
             : fmt::format("# The machines work apart: each takes its share, by {}.\n", number);
}

std::string job_label(const Query& query) {
  std::string label;
  for (const unsigned char c : query.name.empty() ? query.network : query.name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital) {
      label += static_cast<char>(capital ? c - 'A' + 'a' : c);
    } else if (!label.empty() && label.back() != '-') {
      label += '-';
    }
  }
  label.resize(std::min<std::size_t>(label.size(), 50));
  while (label.ends_with('-')) {
    label.pop_back();
  }
  if (label.empty()) {
    return "job";
  }
  // Kubernetes and SkyPilot want a letter first.
  return label[0] >= '0' && label[0] <= '9' ? "job-" + label : label;
}

std::string one_line(std::string text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = unprintable_bytes(text, at);
    out += length > 0 ? ' ' : text[at];
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at) + 1;
    out += by + text.substr(at, end - at);
    at = end;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  const auto as_json = boost::json::serialize(boost::json::string(text));
  std::string out;
  for (std::size_t at = 0; at < as_json.size();) {
    const auto length = unprintable_bytes(as_json, at);
    out += length > 0 ? escaped(as_json.substr(at, length)) : as_json.substr(at, 1);
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

}  // namespace rightsize
