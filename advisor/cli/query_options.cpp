// The options that describe a job and its constraints, shared by every command that answers one.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/large_model_options.h"
#include "advisor/cli/tables.h"
#include "advisor/preprocessing.h"
#include "advisor/query.h"
#include "advisor/token_slo.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// --qps, --slo and --max-delay make a service of the job, or change the one it is.
void read_service_flags(const Values& values, Query& query) {
  for (const auto* flag : {"ttft", "tpot"}) {
    if (values.count(flag) > 0) {
      throw UsageError(fmt::format(
          "--{}: tokens are written by a job with phase = \"decode\" and [service]", flag));
    }
  }
  const bool asked = values.count("qps") + values.count("slo") + values.count("max-delay") > 0;
  if (!asked) {
    return;
  }
  if (query.phase == Phase::decode) {
    throw UsageError(
        "--qps, --slo: a job with phase = \"decode\" takes them once it has [service] with "
        "prompt_tokens and output_tokens");
  }
  if (query.phase != Phase::infer) {
    throw UsageError("--qps, --slo: requests are answered by a job with phase = \"infer\"");
  }
  auto service = query.service.value_or(Service{});
  if (values.count("qps") > 0) {
    service.requests_per_s = values["qps"].as<double>();
    if (!(service.requests_per_s > 0) || service.requests_per_s > 1e7) {
      throw UsageError(
          fmt::format("--qps {:g}: expected requests per second, above 0 and at most 10 million",
                      service.requests_per_s));
    }
  }
  if (values.count("slo") > 0) {
    service.p99_s = parse_slo(values["slo"].as<std::string>(), "--slo");
  }
  if (values.count("max-delay") > 0) {
    service.max_delay_s = parse_latency(values["max-delay"].as<std::string>(), "--max-delay");
  }
  if (!(service.requests_per_s > 0) || !(service.p99_s > 0)) {
    throw UsageError("a service takes both a load and a latency: --qps 300 --slo p99=50ms");
  }
  query.service = service;
  refuse_data_of_service(query);
}

}  // namespace

Software framework_option(const std::string& text) {
  const auto software = software_meant(text);
  if (!software || software->framework.empty()) {
    throw UsageError(
        fmt::format("--framework {}: expected {}; no figures of another were published",
                    text,
                    known_frameworks(text)));
  }
  return *software;
}

void add_query_options(Options& options) {
  add_prices_option(options);
  add_large_model_options(options);
  options.add_options()("job", po::value<std::string>(), "the job file (TOML)")(
      "deadline", po::value<std::string>(), "finish within: 12h, 2d, 1:30:00")(
      "budget", po::value<std::string>(), "cost at most, in the job's currency")(
      "qps", po::value<double>(), "of a service: requests per second to answer")(
      "slo",
      po::value<std::string>(),
      "of a service: p99=50ms; of one that writes tokens ttft=1s,tpot=50ms (99% to the first token "
      "and from one to the next)")("ttft", po::value<std::string>(), "the same as --slo ttft=")(
      "tpot", po::value<std::string>(), "the same as --slo tpot=")(
      "max-delay", po::value<std::string>(), "of a service: wait so long for a minibatch to fill")(
      "objective", po::value<std::string>(), "what is best: cost, time, cost*0.7+time*0.3")(
      "confidence", po::value<double>(), "wanted probability of meeting them (0.9)")(
      "market",
      po::value<std::vector<std::string>>(),
      "on-demand, spot, reserved-1y or reserved-3y; repeatable")(
      "infra", po::value<std::vector<std::string>>(), "provider/region pattern; repeatable")(
      "region",
      po::value<std::vector<std::string>>(),
      "of every provider, or of those of --infra: us-east-1, 'us-*'; repeatable")(
      "book",
      po::value<std::string>(),
      "price books, by comma: current, era-2017, or those of --prices")(
      "gpus", po::value<std::string>(), "of a machine: 8, or 8+ for as many or more")(
      "gpus-min", po::value<double>(), "")("gpus-max", po::value<double>(), "")(
      "vcpus-min", po::value<double>(), "")("vcpus-max", po::value<double>(), "")(
      "memory-min", po::value<double>(), "GiB")("memory-max", po::value<double>(), "GiB")(
      "nodes-max", po::value<int>(), "machines that may train together (1)")(
      "net", po::value<std::string>(), "between them: ib:100, ethernet:25 (assumed), efa:400")(
      "exchange",
      po::value<std::string>(),
      "of gradients: local, device, nccl (the fastest) or sharded (FSDP, ZeRO stage 3: where the "
      "parameters do not fit)")(
      "recompute",
      po::value<bool>(),
      "run transformer blocks again in the backward pass instead of keeping what they gave "
      "(activation checkpointing): true or false; default: where nothing else fits")(
      "stack", po::value<std::string>(), "libraries of: era (2015-2018) or current")(
      "framework",
      po::value<std::string>(),
      "that runs it: PyTorch, TensorFlow, MXNet, ...; default: PyTorch on GPUs with tensor cores, "
      "any on older ones")(
      "preprocess-on", po::value<std::string>(), "resize and normalise on: cpu, gpu or either")(
      "data-at",
      po::value<std::string>(),
      "object storage the data set lies in, as aws/us-east-1: what leaves it is billed")(
      "allow", po::value<std::string>(), "instances that match this regular expression only")(
      "deny", po::value<std::string>(), "no instances that match it");
}

namespace {

// How a job may be spread over GPUs and machines.
void read_parallel_flags(const Values& values, Query& query) {
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
  if (values.count("exchange") > 0) {
    const auto& word = values["exchange"].as<std::string>();
    query.exchange = parse_exchange(word);
    if (!query.exchange) {
      throw UsageError(fmt::format("--exchange {}: expected local, device, nccl or sharded", word));
    }
  }
  if (values.count("recompute") > 0) {
    query.recompute = values["recompute"].as<bool>();
  }
  read_model_parallel(values, query.phase, query.tensor_parallel, query.pipeline_parallel);
  read_adapters(values, query.phase, query.adapters);
  if (values.count("stack") > 0) {
    const auto& word = values["stack"].as<std::string>();
    query.stack = stack_meant(word);
    if (!query.stack) {
      throw UsageError(fmt::format("--stack {}: expected era or current", word));
    }
  }
  if (values.count("framework") > 0) {
    const auto software = framework_option(values["framework"].as<std::string>());
    query.framework = software.framework;
    query.stack = query.stack ? query.stack : software.stack;
  }
  if (values.count("preprocess-on") > 0) {
    const auto& word = values["preprocess-on"].as<std::string>();
    const auto where = parse_preprocess_choice(word);
    if (!where) {
      throw UsageError(fmt::format("--preprocess-on {}: expected cpu, gpu or either", word));
    }
    query.preprocess_on = *where;
  }
}

// "8" and "8+", as in SkyPilot.
void read_gpus(const std::string& text, Query& query) {
  const bool or_more = text.ends_with('+');
  const auto end = text.data() + text.size() - (or_more ? 1 : 0);
  double gpus = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, gpus);
  if (error != std::errc() || rest != end || !(gpus >= 0) || gpus > 1e6) {
    throw UsageError(fmt::format(
        "--gpus {}: expected a number, 8, or 8+ for as many or more; which GPU is said by --allow "
        "with the instances that have it (rightsize gpus NAME lists them)",
        text));
  }
  query.gpus_min = gpus;
  query.gpus_max = or_more ? std::nullopt : std::optional(gpus);
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
    read_gpus(values["gpus"].as<std::string>(), query);
  }
  number("gpus-min", query.gpus_min);
  number("gpus-max", query.gpus_max);
  number("vcpus-min", query.vcpus_min);
  number("vcpus-max", query.vcpus_max);
  number("memory-min", query.memory_gib_min);
  number("memory-max", query.memory_gib_max);
}

Money budget_of(const std::string& text, const std::string& currency) {
  try {
    const auto budget = Money::parse(text, currency);
    if (budget.nanos() > 0) {
      return budget;
    }
  } catch (const PricingError& error) {
    throw UsageError(fmt::format("--budget: {}", error.what()));
  }
  throw UsageError("--budget: expected more than nothing");
}

void read_words(const Values& values, Query& query) {
  const auto text = [&](const char* name, auto&& use) {
    if (values.count(name) > 0) {
      use(values[name].as<std::string>());
    }
  };
  text("deadline", [&](const auto& v) { query.deadline_s = parse_duration(v, "--deadline"); });
  text("budget", [&](const auto& v) { query.budget = budget_of(v, query.currency); });
  text("objective", [&](const auto& v) { query.objective = parse_objective(v, "--objective"); });
  text("book", [&](const auto& v) { query.book = v; });
  text("allow", [&](const auto& v) { query.allow = v; });
  text("deny", [&](const auto& v) { query.deny = v; });
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
    if (region.empty() || region.find('/') != std::string::npos) {
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

void read_places(const Values& values, Query& query) {
  if (values.count("infra") > 0) {
    query.infra = values["infra"].as<std::vector<std::string>>();
  }
  if (values.count("region") > 0) {
    query.infra = in_regions(query.infra, values["region"].as<std::vector<std::string>>());
  }
  if (values.count("market") == 0) {
    return;
  }
  query.markets.clear();
  for (const auto& word : values["market"].as<std::vector<std::string>>()) {
    const auto market = parse_market(word);
    if (!market) {
      throw UsageError(
          fmt::format("--market {}: expected on-demand, spot, reserved-1y or reserved-3y", word));
    }
    query.markets.push_back(*market);
  }
}

}  // namespace

namespace {

std::string job_named(const Values& values) {
  if (values.count("job") == 0) {
    throw UsageError("which job? usage: rightsize advise JOB.toml");
  }
  return values["job"].as<std::string>();
}

// The load, and the confidence.
void read_token_flags(const Values& values, Query& query) {
  if (values.count("max-delay") > 0) {
    throw UsageError(
        "--max-delay: with phase = \"decode\" sequences are let in at every iteration; leave it "
        "out");
  }
  auto& limits = query.tokens->limits;
  if (values.count("slo") > 0) {
    parse_token_slo(values["slo"].as<std::string>(), "--slo", limits);
  }
  for (const auto* flag : {"ttft", "tpot"}) {
    if (values.count(flag) > 0) {
      parse_token_slo(fmt::format("{}={}", flag, values[flag].as<std::string>()),
                      fmt::format("--{}", flag),
                      limits);
    }
  }
  if (values.count("qps") > 0) {
    auto& qps = query.tokens->sequences_per_s;
    qps = values["qps"].as<double>();
    if (!(qps > 0) || qps > 1e6) {
      throw UsageError(fmt::format(
          "--qps {:g}: expected sequences per second, above 0 and at most a million", qps));
    }
  }
}

Query load_query_with_flags(const Values& values, const std::string& job) {
  Query query = load_query(job);
  read_words(values, query);
  read_limits(values, query);
  query.tokens ? read_token_flags(values, query) : read_service_flags(values, query);
  read_parallel_flags(values, query);
  if (query.phase == Phase::preprocess) {
    check_preprocessing(query);
  }
  if (values.count("confidence") > 0) {
    query.confidence = values["confidence"].as<double>();
    if (!(query.confidence > 0 && query.confidence < 1)) {
      throw UsageError("--confidence: expected a number between 0 and 1");
    }
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

}  // namespace

Query query_from(const Values& values) {
  return load_query_with_flags(values, job_named(values));
}

Query query_in_plan(const Values& values, const std::string& job) {
  auto query = load_query_with_flags(values, job);
  if (query.tokens) {
    throw UsageError(fmt::format(
        "{}: phase = \"decode\" with [service] is planned alone: ask advise for it by itself",
        job));
  }
  return query;
}

}  // namespace rightsize::cli
