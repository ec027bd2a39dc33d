#include "advisor/suppose/supposed_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "advisor/query/burst_size.h"
#include "advisor/query/length_stddev.h"
#include "advisor/query/load_range.h"
#include "advisor/query/writing_words.h"
#include "advisor/suppose/supposed_machine.h"
#include "advisor/suppose/supposed_work.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

void suppose(const std::optional<Change>& change, const char* key, double& value) {
  if (change) {
    value = positive(key, change->of(value), value);
  }
}

int whole(const char* key, double value, double most) {
  if (!(value >= 1) || value > most || value != std::floor(value)) {
    throw UsageError(fmt::format("{}: {:g} is no whole number from 1 to {:.0f}", key, value, most));
  }
  return static_cast<int>(value);
}

void suppose_load(const Supposition& supposition, const LoadRange& loads, double& per_s) {
  suppose(supposition.requests_per_s, "qps", per_s);
  if (!loads.has(per_s)) {
    throw UsageError(fmt::format("qps: {:g}: expected {}", per_s, loads.words()));
  }
}

void suppose_burst(const Supposition& supposition, double& mean) {
  suppose(supposition.burst, "burst", mean);
  if (!is_burst_size(mean)) {
    throw UsageError(
        fmt::format("burst: {:g}: expected how many arrive together {}", mean, burst_grammar));
  }
}

void suppose_hours(const Supposition& supposition, Query& query) {
  if (supposition.service_hours) {
    const double hours = supposition.service_hours->of(query.hours_of_month());
    if (!is_service_hours(hours)) {
      throw UsageError(
          fmt::format("hours-per-month: {:g}: expected {}", hours, service_hours_grammar));
    }
    query.service_hours = hours;
  }
}

void suppose_service(const Supposition& supposition, const Option& now, Service& service) {
  if (supposition.of_tokens()) {
    throw UsageError(
        "first-token, token, prompt-tokens, cached-prompt-tokens, output-tokens, "
        "prompt-tokens-stddev, output-tokens-stddev, weights and "
        "gpus-per-replica are of a language model that writes tokens; this service answers "
        "requests: qps, p99, machines, burst, hours-per-month");
  }
  suppose_load(supposition, request_loads, service.requests_per_s);
  suppose_burst(supposition, service.group_size);
  suppose(supposition.p99_s, "p99", service.p99_s);
  if (supposition.machines) {
    service.machines =
        whole("machines", supposition.machines->of(now.service->machines), most_machines);
  }
}

void suppose_limit(const std::optional<Change>& change, const char* key, double& limit_s) {
  if (!change) {
    return;
  }
  const double limit = change->of(limit_s);
  if (!std::isfinite(limit)) {
    throw UsageError(
        fmt::format("{}: there is no such limit now; say a time, as {}=100ms", key, key));
  }
  limit_s = positive(key, limit, limit_s);
}

// `asked` has the lengths of a service's sequences, or of texts.
template <typename Lengths>
void suppose_lengths(const Supposition& supposition, Lengths& asked, Query& query) {
  constexpr double most = 1 << 20;
  if (supposition.prompt_tokens) {  // of its text; pictures stay beside it
    const int pictures = picture_tokens(query.network);
    const double text = supposition.prompt_tokens->of(asked.prompt_tokens - pictures);
    asked.prompt_tokens = whole("prompt-tokens", text, most) + pictures;
  }
  if (supposition.output_tokens) {
    asked.output_tokens =
        whole("output-tokens", supposition.output_tokens->of(asked.output_tokens), most);
  }
  query.sequence = std::max(query.sequence, asked.prompt_tokens + asked.output_tokens);
  try {
    static_cast<void>(make_network(query.network, query.sequence));
  } catch (const EngineError& error) {
    throw UsageError(fmt::format("prompt-tokens + output-tokens: {}", error.what()));
  }
}

// A shorter prompt may have no place for what was cached of the longer.
void suppose_cached(const Supposition& supposition, TokenService& service, int pictures) {
  auto& cached = service.cached_prompt_tokens;
  const int text = service.prompt_tokens - pictures;
  if (supposition.cached_prompt_tokens) {
    const double now = supposition.cached_prompt_tokens->of(cached);
    if (!(now >= 0) || !(now < text)) {
      throw UsageError(fmt::format(
          "cached-prompt-tokens: {:g} of a prompt of {}: expected 0 to {}", now, text, text - 1));
    }
    cached = static_cast<int>(std::lround(now));
  } else if (cached >= text) {
    throw UsageError(
        fmt::format("prompt-tokens: {} with {} of them cached; suppose cached-prompt-tokens= too",
                    text,
                    cached));
  }
}

void suppose_stddev(const std::optional<Change>& change,
                    const std::string& of,
                    int tokens,
                    double& stddev) {
  const double now = change ? change->of(stddev) : stddev;
  if (!is_length_stddev(now, tokens)) {
    throw UsageError(
        fmt::format("{}-stddev: {:g}: expected {}", of, now, length_stddev_words(of, tokens)));
  }
  stddev = now;
}

void suppose_weights(const Supposition& supposition,
                     Precision precision,
                     std::optional<WeightFormat>& weights) {
  if (supposition.weights.empty()) {
    return;
  }
  const auto format = parse_weights(supposition.weights, precision);
  if (!format && !says_as_published(supposition.weights)) {
    throw UsageError(fmt::format("weights={}: expected own (the job's precision), {}",
                                 supposition.weights,
                                 weights_grammar));
  }
  weights = format;
}

// Of a language model that writes without a service: tokens alone have no lengths.
void suppose_writing(const Supposition& supposition, Query& query) {
  const bool lengths = supposition.prompt_tokens || supposition.output_tokens;
  if (lengths && !query.writing.of_texts()) {
    throw UsageError(
        "prompt-tokens, output-tokens: this job writes tokens at one context; prompt_tokens and "
        "output_tokens under [data] make texts of its items");
  }
  if (supposition.first_token_s || supposition.token_s || supposition.per_replica) {
    throw UsageError(
        "first-token, token and gpus-per-replica are of a [service]; this job has none");
  }
  if (supposition.cached_prompt_tokens || supposition.prompt_stddev || supposition.output_stddev) {
    throw UsageError(
        "cached-prompt-tokens, prompt-tokens-stddev and output-tokens-stddev are of a [service]; "
        "this job has none");
  }
  if (lengths) {
    suppose_lengths(supposition, query.writing, query);
  }
  suppose_weights(supposition, query.precision, query.writing.weights);
}

void suppose_tokens(const Supposition& supposition, const Option& now, Query& query) {
  auto& service = *query.tokens;
  if (supposition.p99_s) {
    throw UsageError("p99: tokens have limits of their own: first-token=2s, token=30ms");
  }
  suppose_load(supposition, sequence_loads, service.sequences_per_s);
  suppose_burst(supposition, service.burst);
  suppose_limit(supposition.first_token_s, "first-token", service.limits.first_token_s);
  suppose_limit(supposition.token_s, "token", service.limits.token_s);
  suppose_lengths(supposition, service, query);
  const int pictures = picture_tokens(query.network);
  suppose_cached(supposition, service, pictures);
  suppose_stddev(supposition.prompt_stddev,
                 "prompt-tokens",
                 service.prompt_tokens - pictures,
                 service.prompt_stddev);
  suppose_stddev(
      supposition.output_stddev, "output-tokens", service.output_tokens, service.output_stddev);
  suppose_weights(supposition, query.precision, service.weights);
  if (supposition.per_replica) {
    const int each = now.tokens->server.gpus_each();
    service.per_replica = whole("gpus-per-replica", supposition.per_replica->of(each), 64);
  }
  if (supposition.machines) {
    service.machines =
        whole("machines", supposition.machines->of(now.tokens->machines), most_machines);
  }
}

// Where prompts have other pictures now, which another name of the network says.
void take_pictures(int before, Query& query) {
  const int more = picture_tokens(query.network) - before;
  int& prompt = query.tokens ? query.tokens->prompt_tokens : query.writing.prompt_tokens;
  if (more != 0 && prompt > 0) {
    prompt += more;
    query.sequence += query.writing.of_texts() ? more : 0;
  }
}

}  // namespace

Query supposed_query(const Supposition& asked, Query query, const Option& now) {
  if (query.program && (asked.batch || asked.of_work())) {
    throw UsageError(
        "batch, precision and what else a network computes: a program of your own does what it "
        "was profiled with; leave them out");
  }
  const int pictures = picture_tokens(query.network);
  query = supposed_work(asked, std::move(query));
  take_pictures(pictures, query);
  auto supposition = asked;
  if (weights_are_of_name(query)) {
    supposition.weights.clear();
  }
  if (query.tokens) {
    for (const auto& [given, key] : {std::pair{supposition.batch.has_value(), "batch"},
                                     {!supposition.disk.empty(), "disk"},
                                     {supposition.cpu_speed.has_value(), "cpu-speed"}}) {
      if (given) {
        throw UsageError(
            fmt::format("{}: nothing of it enters how tokens are written; leave it out", key));
      }
    }
    suppose_tokens(supposition, now, query);
    suppose_hours(supposition, query);
    return query;
  }
  if (query.phase == Phase::decode && supposition.of_tokens()) {
    suppose_writing(supposition, query);
    return query;
  }
  if (!supposition.of_service()) {
    return query;
  }
  if (!query.service && supposition.of_tokens()) {
    throw UsageError(
        "first-token, token, prompt-tokens, output-tokens, weights and gpus-per-replica are of a "
        "language model that writes tokens: phase = \"decode\"; weights also of "
        "networks that make pictures or texts, in phase infer");
  }
  if (!query.service) {
    throw UsageError(
        "qps, p99, machines, burst and hours-per-month are of a service; this job has none (--qps, "
        "--slo)");
  }
  suppose_service(supposition, now, *query.service);
  suppose_hours(supposition, query);
  return query;
}

std::vector<std::string> idle_suppositions(const Supposition& supposition, const Query& query) {
  std::vector<std::string> notes;
  if (query.tokens && (supposition.vcpus || supposition.memory_gib)) {
    notes.emplace_back(
        "vCPUs and host memory do not enter how tokens are written: they change the price alone");
  }
  if (!supposition.weights.empty()) {
    notes.emplace_back("what other weights do to the quality of the answers is not judged here");
  }
  return notes;
}

}  // namespace rightsize
