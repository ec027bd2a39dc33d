// The options that describe a job and its constraints, shared by every command that answers one.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/preprocessing.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/money_options.h"
#include "advisor/cli/service_options.h"
#include "advisor/cli/tables.h"
#include "advisor/cli/way_options.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/query/amount_words.h"
#include "advisor/query/either_of.h"
#include "advisor/query/gpu_choice.h"
#include "advisor/query/place_words.h"
#include "advisor/query/query.h"
#include "kernels/gibibyte.h"
#include "profiler/campaign/units.h"

namespace rightsize::cli {
namespace po = boost::program_options;

void add_query_options(Options& options) {
  add_prices_option(options);
  add_service_options(options);
  add_way_options(options);
  add_money_options(options);
  options.add_options()("job", po::value<std::string>(), "the job file (TOML)")(
      "deadline", po::value<std::string>(), "finish within: 12h, 2d, 1:30:00")(
      "budget", po::value<std::string>(), "cost at most, in the job's currency")(
      "objective",
      po::value<std::string>(),
      "what is best: cost, time, cost*0.7+time*0.3 (weights: least cost^0.7 x time^0.3); a "
      "service's time is its p99, of tokens to the "
      "last one")("confidence",
                  po::value<std::string>(),
                  "wanted probability of meeting them: 0.95 or 95% (0.9)")(
      "market",
      po::value<std::vector<std::string>>(),
      "on-demand, spot, reserved-1y or reserved-3y; by comma or repeated")(
      "infra", po::value<std::vector<std::string>>(), "provider/region pattern; repeatable")(
      "region",
      po::value<std::vector<std::string>>(),
      "of every provider, or of those of --infra: us-east-1, 'us-*'; repeatable")(
      "book",
      po::value<std::string>(),
      "price books, by comma: current, era-2017, neuron (AWS's inf2 and trn1, for programs "
      "compiled by AWS Neuron), tpu (Google's TPUs, by XLA), or those of --prices")(
      "gpu",
      po::value<std::vector<std::string>>(),
      "machines with one of these GPUs alone: A100 "
      "(A100-80GB and A100-PCIe too), V100-32GB, H100:8, "
      "none; by comma or repeated")(
      "gpus", po::value<std::string>(), "of a machine: 8, or 8+ for as many or more")(
      "gpus-min", po::value<double>(), "")("gpus-max", po::value<double>(), "")(
      "vcpus-min", po::value<double>(), "")("vcpus-max", po::value<double>(), "")(
      "memory-min", po::value<std::string>(), "GiB, or with a unit: 64, 64GiB, 64GB")(
      "memory-max", po::value<std::string>(), "likewise")(
      "data-at",
      po::value<std::string>(),
      "object storage the data set lies in, as aws/us-east-1: what leaves it is billed")(
      "allow",
      po::value<std::vector<std::string>>(),
      "instances that match this regular expression only; repeatable: one of them")(
      "deny", po::value<std::vector<std::string>>(), "no instances that match it; repeatable")(
      "retired", "also instances that their provider no longer rents");
}

namespace {

// All of `text`; nullopt for what is none, or not finite.
std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// "64" and "64GiB" are the same, "64GB" is 59.6 of them.
double gib_of(const char* name, const std::string& text) {
  if (const auto value = number_in(text)) {
    if (*value >= 0) {
      return *value;
    }
  } else if (const auto bytes = parse_bytes(text); bytes && text.ends_with('B')) {
    return static_cast<double>(*bytes) / bytes_per_gib;
  }
  throw UsageError(fmt::format(
      "--{} {}: expected GiB, or a size with its unit, such as 64, 64GiB or 64GB", name, text));
}

// "0.95" and "95%".
double confidence_of(std::string_view text) {
  const auto share = parse_share(text);
  if (!share) {
    throw UsageError(fmt::format(
        "--confidence {}: expected a number between 0 and 1, or a percentage between 0% and 100%, "
        "such as 0.95 or 95%",
        text));
  }
  return *share;
}

// "8" and "8+", as in SkyPilot.
void read_gpus(const std::string& text, Query& query) {
  const bool or_more = text.ends_with('+');
  const auto end = text.data() + text.size() - (or_more ? 1 : 0);
  double gpus = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, gpus);
  if (error != std::errc() || rest != end || !(gpus >= 0) || gpus > 1e6) {
    throw UsageError(
        fmt::format("--gpus {0}: expected a number, 8, or 8+ for as many or more{1}",
                    text,
                    gpu_words(text).gpu.empty() ? "" : "; which GPU is said by --gpu " + text));
  }
  query.gpus_min = gpus;
  query.gpus_max = or_more ? std::nullopt : std::optional(gpus);
}

// Of the flags, and of what the job file says beside them.
void refuse_empty_range(const char* what, std::optional<double> least, std::optional<double> most) {
  if (least && most && *least > *most) {
    throw UsageError(fmt::format(
        "at least {0:g} and at most {1:g}: no machine has both; change --{2}-min or --{2}-max, or "
        "what the job file's [constraints] says",
        *least,
        *most,
        what));
  }
}

void read_limits(const Values& values, Query& query) {
  const auto number = [&](const char* name, std::optional<double>& target) {
    if (values.count(name) > 0) {
      target = values[name].as<double>();
      if (!(*target >= 0) || std::isinf(*target)) {
        throw UsageError(fmt::format("--{}: expected a number that is not negative", name));
      }
    }
  };
  if (values.count("gpus") > 0) {
    if (values.count("gpus-min") + values.count("gpus-max") > 0) {
      throw UsageError(fmt::format(
          "--gpus {}: it says both the least and the most; leave --gpus-min and --gpus-max out, or "
          "--gpus",
          values["gpus"].as<std::string>()));
    }
    read_gpus(values["gpus"].as<std::string>(), query);
  }
  number("gpus-min", query.gpus_min);
  number("gpus-max", query.gpus_max);
  number("vcpus-min", query.vcpus_min);
  number("vcpus-max", query.vcpus_max);
  const auto memory = [&](const char* name, std::optional<double>& target) {
    if (values.count(name) > 0) {
      target = gib_of(name, values[name].as<std::string>());
    }
  };
  memory("memory-min", query.memory_gib_min);
  memory("memory-max", query.memory_gib_max);
  refuse_empty_range("gpus", query.gpus_min, query.gpus_max);
  refuse_empty_range("vcpus", query.vcpus_min, query.vcpus_max);
  refuse_empty_range("memory", query.memory_gib_min, query.memory_gib_max);
}

void read_words(const Values& values, Query& query) {
  const auto text = [&](const char* name, auto&& use) {
    if (values.count(name) > 0) {
      use(values[name].as<std::string>());
    }
  };
  text("deadline", [&](const auto& v) { query.deadline_s = parse_duration(v, "--deadline"); });
  text("budget",
       [&](const auto& v) { query.budget = parse_amount(v, query.currency, "--budget"); });
  text("objective", [&](const auto& v) { query.objective = parse_objective(v, "--objective"); });
  text("book", [&](const auto& v) { query.book = v; });
  if (values.count("gpu") > 0) {
    query.gpus = checked_gpus(values["gpu"].as<std::vector<std::string>>(), "--gpu");
  }
  if (values.count("allow") > 0) {
    query.allow = either_of(values["allow"].as<std::vector<std::string>>(), "allow");
  }
  if (values.count("deny") > 0) {
    query.deny = either_of(values["deny"].as<std::vector<std::string>>(), "deny");
  }
  text("current", [&](const auto& v) {
    if (v.empty()) {
      throw UsageError("--current: expected the machine of today, such as g5.xlarge");
    }
    query.current = v;
    query.current_said_by = Query().current_said_by;
  });
  text("data-at", [&](const auto& v) {
    if (v.empty()) {
      throw UsageError("--data-at: expected a provider, with its region or without: aws/us-east-1");
    }
    query.data_at = v;
  });
}

// Every region of every provider that is asked for; of one that names its region that is taken
// back.
std::vector<std::string> in_regions(const std::vector<std::string>& infra,
                                    const std::vector<std::string>& regions) {
  std::vector<std::string> patterns;
  for (const auto& region : regions) {
    if (region.empty() || region.find_first_of("/,") != std::string::npos) {
      throw UsageError(fmt::format(
          "--region {}: expected a region such as us-east-1 or 'us-*'; --infra takes its provider "
          "too",
          region));
    }
    for (const auto& pattern : infra.empty() ? std::vector<std::string>{"*"} : infra) {
      patterns.push_back(pattern.substr(0, pattern.find('/')) + "/" + region);
    }
  }
  return patterns;
}

std::vector<std::string> by_comma(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const auto& text : texts) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = std::min(text.find(',', begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

void read_places(const Values& values, Query& query) {
  if (values.count("infra") > 0) {
    query.infra = checked_places(values["infra"].as<std::vector<std::string>>(), "--infra");
  }
  if (values.count("region") > 0) {
    query.infra = in_regions(query.infra, values["region"].as<std::vector<std::string>>());
  }
  if (values.count("market") == 0) {
    return;
  }
  query.markets.clear();
  for (const auto& word : by_comma(values["market"].as<std::vector<std::string>>())) {
    const auto market = parse_market(word);
    if (!market) {
      throw UsageError(
          fmt::format("--market {}: expected on-demand, spot, reserved-1y or reserved-3y", word));
    }
    if (std::find(query.markets.begin(), query.markets.end(), *market) == query.markets.end()) {
      query.markets.push_back(*market);
    }
  }
}

std::string job_named(const Values& values, std::string_view command) {
  if (values.count("job") == 0) {
    const auto all = commands();
    const auto asked = std::find_if(
        all.begin(), all.end(), [&](const Command& one) { return one.name == command; });
    throw UsageError(fmt::format("which job? usage: rightsize {} {}", command, asked->arguments));
  }
  return values["job"].as<std::string>();
}

}  // namespace

Query query_of_file(const Values& values, const std::string& job) {
  Query query = load_query(job);
  read_money_options(values, query);
  read_words(values, query);
  read_limits(values, query);
  if (query.budget) {
    query.budget = counted_in(query.currency,
                              *query.budget,
                              query.rates,
                              values.count("budget") > 0 ? "--budget" : query.budget_said_by);
  }
  read_service_options(values, query);
  read_way_options(values, query);
  if (query.phase == Phase::preprocess) {
    check_preprocessing(query);
  }
  if (values.count("confidence") > 0) {
    query.confidence = confidence_of(values["confidence"].as<std::string>());
  }
  read_places(values, query);
  if (query.tokens && query.deadline_s) {
    throw UsageError("a service has no deadline; [service] says how soon tokens come");
  }
  if (query.service && query.deadline_s) {
    throw UsageError("a service has no deadline; --slo p99=50ms is how soon it answers");
  }
  if (query.serves() && query.confidence < 0.5) {
    throw UsageError("a service with a confidence under 0.5 is expected to fail");
  }
  return query;
}

Query query_from(const Values& values, std::string_view command) {
  return query_of_file(values, job_named(values, command));
}

}  // namespace rightsize::cli
