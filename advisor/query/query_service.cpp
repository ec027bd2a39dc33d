#include "advisor/query/query_service.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "advisor/candidate/accelerator.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/burst_size.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/latency_words.h"
#include "advisor/query/length_stddev.h"
#include "advisor/query/load_range.h"
#include "advisor/query/picture_words.h"
#include "advisor/query/writing_words.h"
#include "kernels/engine.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

constexpr const char* a_latency = "a time in quotes such as \"50ms\" or \"0.5s\"";

double latency_of(const TomlFields& service, const std::string& text, const std::string& key) {
  try {
    return parse_latency(text, key);
  } catch (const UsageError&) {  // which knows no line
    service.fail(key, "a time such as \"5ms\", \"200us\" or \"0.5s\", of an hour at most");
  }
}

double token_limit(TomlFields& service, const char* key) {
  const auto text = service.text(key, a_latency);
  if (!text) {
    return std::numeric_limits<double>::infinity();
  }
  const double seconds = latency_of(service, *text, key);
  if (!(seconds > 0)) {
    service.fail(key, "more than no time");
  }
  return seconds;
}

// What writes the tokens, where it is named here or by [job].
std::string read_writer(TomlFields& service, const std::string& framework) {
  const auto software = service.text("software");
  if (!software) {
    return framework;
  }
  const auto known = decode_software(*software);
  if (!known) {
    service.fail("software",
                 known_decode_software() + "; without it the interval is that of all together");
  }
  if (!framework.empty() && framework != *known) {
    service.fail("software", "the same as framework under [job], or one of the two alone");
  }
  return *known;
}

// How GPUs share the attention of a mixture of experts, where that is said.
std::optional<AttentionSharing> read_sharing(TomlFields& service, const std::string& software) {
  const auto word = service.text("attention");
  if (!word) {
    return std::nullopt;
  }
  const auto sharing = parse_attention_sharing(*word);
  if (!sharing) {
    service.fail(
        "attention",
        "by_heads (tensor parallel) or by_sequences (data-parallel attention, of a mixture "
        "of experts); without it as serves better");
  }
  if (sharing == AttentionSharing::by_sequences && !shares_by_sequences(software)) {
    service.fail("attention", fmt::format("by_heads: {} is not known to do otherwise", software));
  }
  return sharing;
}

DecodeLimits read_token_limits(TomlFields& service, int output_tokens) {
  DecodeLimits limits;
  limits.first_token_s = token_limit(service, "first_token");
  limits.token_s = token_limit(service, "token");
  if (output_tokens == 1 && std::isinf(limits.first_token_s)) {
    service.fail("first_token",
                 "how soon the only token of output_tokens = 1 comes, such as \"1s\"");
  }
  if (std::isinf(limits.first_token_s) && std::isinf(limits.token_s)) {
    service.fail("token",
                 "how soon tokens come: token = \"50ms\" from one to the next (TPOT), "
                 "first_token = \"1s\" (TTFT), or both");
  }
  return limits;
}

std::optional<int> read_replica(TomlFields& service) {
  const auto gpus = service.integer("gpus_per_replica");
  if (gpus && (*gpus < 1 || *gpus > 64)) {
    service.fail("gpus_per_replica",
                 "GPUs of a machine that share the network, from 1 to 64; without it as many as "
                 "serve best by the objective");
  }
  return gpus ? std::optional(static_cast<int>(*gpus)) : std::nullopt;
}

// Of each prompt; its last token is computed always, as the first that is written follows from it.
// Pictures are the prompt's last tokens here: what is cached is of its text.
int read_cached(TomlFields& service, int prompt_tokens) {
  const auto cached = service.integer("cached_prompt_tokens").value_or(0);
  if (cached < 0 || cached >= prompt_tokens) {
    service.fail("cached_prompt_tokens",
                 fmt::format("tokens of each prompt that its server has from before, in the mean, "
                             "from 0 to less than prompt_tokens = {}",
                             prompt_tokens));
  }
  return static_cast<int>(cached);
}

double read_burst(TomlFields& service, const char* what) {
  const double burst = service.number("burst").value_or(1);
  if (!is_burst_size(burst)) {
    service.fail("burst", fmt::format("how many {} arrive together {}", what, burst_grammar));
  }
  return burst;
}

// Over sequences; of lengths whose mean is `tokens`.
double read_stddev(TomlFields& service, const std::string& of, int tokens) {
  const auto stddev = service.number(of + "_stddev").value_or(0);
  if (!is_length_stddev(stddev, tokens)) {
    service.fail(of + "_stddev", length_stddev_words(of, tokens));
  }
  return stddev;
}

// Of a job with phase = "decode".
void read_token_service(TomlFields service, Query& query) {
  TokenService wanted;
  wanted.weights = query.writing.weights;
  wanted.fp8_caches = query.writing.fp8_caches;
  service.expect({"qps",
                  "burst",
                  "hours_per_month",
                  "prompt_tokens",
                  "prompt_tokens_stddev",
                  "cached_prompt_tokens",
                  "output_tokens",
                  "output_tokens_stddev",
                  "images",
                  "image_size",
                  "first_token",
                  "token",
                  "software",
                  "gpus_per_replica",
                  "attention"});
  service.reject_unknown(where_key_belongs);
  const auto qps = service.number("qps");
  if (!qps || !sequence_loads.has(*qps)) {
    service.fail("qps", sequence_loads.words());
  }
  wanted.sequences_per_s = *qps;
  wanted.burst = read_burst(service, "sequences");
  const int text = token_count(service, "prompt_tokens");
  wanted.prompt_tokens = text + read_pictures(service, query);
  wanted.cached_prompt_tokens = read_cached(service, text);
  wanted.prompt_stddev = read_stddev(service, "prompt_tokens", text);
  wanted.output_tokens = token_count(service, "output_tokens");
  wanted.output_stddev = read_stddev(service, "output_tokens", wanted.output_tokens);
  wanted.limits = read_token_limits(service, wanted.output_tokens);
  wanted.software = read_writer(service, query.framework);
  wanted.per_replica = read_replica(service);
  wanted.attention = read_sharing(service, wanted.software);
  query.sequence = std::max(query.sequence, wanted.prompt_tokens + wanted.output_tokens);
  query.framework.clear();  // one field has each
  query.writing = {};
  query.tokens = wanted;
}

void read_service(TomlFields service, Query& query) {
  Service wanted;
  const auto qps = service.number("qps");
  const auto p99 = service.text("p99", a_latency);
  const auto max_delay = service.text("max_delay", a_latency);
  const double burst = read_burst(service, "requests");
  service.expect({"hours_per_month"});        // read_service_table()
  service.reject_unknown(where_key_belongs);  // a key that is missing may be one misspelt
  if (!qps || !request_loads.has(*qps)) {
    service.fail("qps", request_loads.words());
  }
  wanted.requests_per_s = *qps;
  if (!p99) {
    service.fail("p99", "the time within which 99 of 100 answers come, such as \"50ms\"");
  }
  wanted.p99_s = latency_of(service, *p99, "p99");
  if (!(wanted.p99_s > 0)) {
    service.fail("p99", "a time above 0, such as \"50ms\": no answer takes no time");
  }
  wanted.max_delay_s = latency_of(service, max_delay.value_or("0"), "max_delay");
  wanted.group_size = burst;
  if (query.phase != Phase::infer) {
    service.fail("qps",
                 "phase = \"infer\" in [job] (\"decode\" of a language model): requests are "
                 "answered, not trained on");
  }
  query.service = wanted;
}

// Sequences come and go at every iteration, and bring their prompts.
void refuse_stray_work(TomlFields& top, const std::string& path) {
  TomlFields job(top.table("job"), path, "job");
  if (job.has("batch_per_gpu")) {
    job.fail("batch_per_gpu",
             "nothing: as many sequences are in flight as come and fit; leave it out");
  }
  if (top.has("data")) {
    top.fail("data", "nothing: sequences bring their prompts; leave it out");
  }
}

std::optional<double> read_hours(TomlFields service) {
  const auto hours = service.number("hours_per_month");
  if (hours && !is_service_hours(*hours)) {
    service.fail("hours_per_month", service_hours_grammar);
  }
  return hours;
}

}  // namespace

void require_writer(TomlFields& top, const std::string& path, const Query& query) {
  const TomlFields job(top.table("job"), path, "job");
  const std::string writer =
      "a language model that writes token by token, such as llama-8b or gpt2";
  bool writes = false;
  try {
    writes = can_generate(make_network(query.network));
  } catch (const std::runtime_error& error) {  // no such network, or a file that is none
    job.fail("network", writer + "; " + error.what());
  }
  if (!writes) {
    job.fail("network", writer);
  }
  try {
    static_cast<void>(make_network(query.network, query.sequence));
  } catch (const EngineError& error) {
    if (!query.tokens && !query.writing.of_texts()) {
      job.fail("sequence", error.what());
    }
    const char* table = query.tokens ? "service" : "data";
    TomlFields(top.table(table), path, table)
        .fail("prompt_tokens",
              fmt::format("with output_tokens no more than the network reads; {}", error.what()));
  }
}

int token_count(TomlFields& fields, const char* key) {
  const auto count = fields.integer(key);
  if (!count || !is_token_count(*count)) {
    fields.fail(key, std::string(token_count_grammar));
  }
  return static_cast<int>(*count);
}

void read_form(TomlFields& job, Query& query) {
  auto& writing = query.writing;
  if (const auto weights = job.text("weights")) {
    const auto format = parse_weights(*weights, query.precision);
    if (!format && !says_as_published(*weights)) {
      job.fail("weights",
               fmt::format("{}; without it as the network is published", weights_grammar));
    }
    writing.weights = format;
  }
  if (const auto caches = job.text("caches")) {
    if (*caches != "fp8") {
      job.fail("caches", "fp8, of keys and values; without it the job's precision");
    }
    writing.fp8_caches = true;
  }
}

void read_service_table(TomlFields& top, const std::string& path, Query& query) {
  if (const auto* service = top.table("service")) {
    const TomlFields fields(service, path, "service");
    query.phase == Phase::decode ? read_token_service(fields, query) : read_service(fields, query);
    query.service_hours = read_hours(fields);
  }
  if (query.tokens) {
    require_writer(top, path, query);
    refuse_stray_work(top, path);
  }
}

}  // namespace rightsize
