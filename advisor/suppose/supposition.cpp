#include "advisor/suppose/supposition.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advisor/query/amount_words.h"
#include "advisor/query/exchanged_money.h"
#include "advisor/query/latency_words.h"
#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

constexpr std::int64_t one = 1'000'000'000;

using Target = std::optional<Change> Supposition::*;
constexpr std::array<std::pair<const char*, Target>, 24> numbers{{
    {"vcpus", &Supposition::vcpus},
    {"memory", &Supposition::memory_gib},
    {"price", &Supposition::price},
    {"gpu-speed", &Supposition::gpu_speed},
    {"cpu-speed", &Supposition::cpu_speed},
    {"batch", &Supposition::batch},
    {"qps", &Supposition::requests_per_s},
    {"p99", &Supposition::p99_s},
    {"machines", &Supposition::machines},
    {"burst", &Supposition::burst},
    {"first-token", &Supposition::first_token_s},
    {"token", &Supposition::token_s},
    {"prompt-tokens", &Supposition::prompt_tokens},
    {"output-tokens", &Supposition::output_tokens},
    {"cached-prompt-tokens", &Supposition::cached_prompt_tokens},
    {"prompt-tokens-stddev", &Supposition::prompt_stddev},
    {"output-tokens-stddev", &Supposition::output_stddev},
    {"hours-per-month", &Supposition::service_hours},
    {"gpus-per-replica", &Supposition::per_replica},
    {"sequence", &Supposition::sequence},
    {"global-batch", &Supposition::global_batch},
    {"expert-tensor-parallel", &Supposition::expert_tensor},
    {"items", &Supposition::items},
    {"epochs", &Supposition::epochs},
}};
constexpr std::array<std::pair<const char*, std::string Supposition::*>, 11> texts{{
    {"gpu", &Supposition::gpu},
    {"disk", &Supposition::disk},
    {"weights", &Supposition::weights},
    {"precision", &Supposition::precision},
    {"preprocess-on", &Supposition::preprocess_on},
    {"tokens", &Supposition::tokens},
    {"beams", &Supposition::beams},
    {"steps", &Supposition::steps},
    {"size", &Supposition::size},
    {"images", &Supposition::images},
    {"guidance", &Supposition::guidance},
}};

// What changes the question and not the machine: by a flag, or by a key of the job file.
std::string_view said_elsewhere(std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> others{{
      {"budget", "the flag --budget"},
      {"confidence", "the flag --confidence"},
      {"deadline", "the flag --deadline"},
      {"objective", "the flag --objective"},
      {"bytes", "bytes under [data] in a copy of the job file"},
      {"nodes", "nodes_max under [constraints] in a copy of the job file"},
  }};
  const auto found = std::find_if(
      others.begin(), others.end(), [&](const auto& other) { return other.first == key; });
  return found == others.end() ? "" : found->second;
}

[[noreturn]] void unknown_key(const std::string& word, const std::string& key) {
  if (const auto elsewhere = said_elsewhere(key); !elsewhere.empty()) {
    throw UsageError(
        fmt::format("{}: what-if supposes no other limits and no other kind of data; say it by {}",
                    word,
                    elsewhere));
  }
  const auto near = nearest_word(key, supposition_keys());
  throw UsageError(fmt::format(
      "{}: expected vcpus=, memory=, disk=, batch=, gpu=, price=, gpu-speed=, cpu-speed=, "
      "precision= or sequence=, of a job items= or epochs=, of one that reads pictures "
      "preprocess-on=, of one that trains global-batch=, of "
      "a mixture of experts whose layers GPUs share expert-tensor-parallel=, of a service also "
      "qps=, p99=, machines=, burst= or hours-per-month=, of one that writes tokens first-token=, "
      "token=, "
      "prompt-tokens=, cached-prompt-tokens=, output-tokens=, prompt-tokens-stddev=, "
      "output-tokens-stddev=, weights= or gpus-per-replica=, of "
      "networks whose names have parts tokens=, beams=, steps=, size=, "
      "images=, guidance= or weights=; numbers as 24, +8, x2 or -20%{}",
      word,
      near.empty() ? "" : fmt::format("; did you mean {}=?", near)));
}

void set(Supposition& supposition,
         const std::string& word,
         const std::string& key,
         const std::string& value) {
  for (const auto& [name, target] : numbers) {
    if (key == name) {
      supposition.*target = Change::parse(key, value);
      return;
    }
  }
  for (const auto& [name, target] : texts) {
    if (key == name) {
      supposition.*target = value;
      return;
    }
  }
  unknown_key(word, key);
}

// "100ms" -> "0.1": seconds, for those who write times.
std::string in_seconds(const std::string& key, const std::string& time) {
  const bool has_sign = time.starts_with('+') || time.starts_with('-');
  const auto seconds = parse_latency(time.substr(has_sign ? 1 : 0), key);
  return fmt::format("{}{:.9f}", has_sign ? time.substr(0, 1) : "", seconds);
}

// "+1TiB" -> "+1024".
std::string in_gib(const std::string& key, const std::string& size) {
  const bool has_sign = size.starts_with('+') || size.starts_with('-');
  const auto bytes = static_cast<double>(parse_size(size.substr(has_sign ? 1 : 0), key));
  return fmt::format("{}{:.9f}", has_sign ? size.substr(0, 1) : "", bytes / bytes_per_gib);
}

// Without the unit that goes with the key: "+8GiB" -> "+8", "100ms" -> "0.1".
std::string without_unit(const std::string& key, const std::string& text) {
  std::string number = text;
  if (key == "memory" && number.ends_with('B')) {
    return in_gib(key, number);
  }
  const bool time = key == "p99" || key == "first-token" || key == "token";
  if (time && number.ends_with('s')) {
    return in_seconds(key, number);
  }
  if (time && !number.ends_with('%') && number.find('x') == std::string::npos) {
    throw UsageError(fmt::format("{}={}: expected a time such as 100ms, x2 or -20%", key, text));
  }
  return number;
}

// "$2" -> "2" and USD, "+1 EUR" -> "+1" and EUR.
AmountWords signed_amount(const std::string& text) {
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  auto amount = split_amount(std::string_view(text).substr(has_sign ? 1 : 0));
  amount.decimal.insert(0, text, 0, has_sign ? 1 : 0);
  return amount;
}

}  // namespace

Change Change::parse(const std::string& key, const std::string& text) {
  Change change;
  std::string number = without_unit(key, text);
  if (key == "price") {
    auto amount = signed_amount(number);
    number = std::move(amount.decimal);
    change.currency_ = std::move(amount.currency);
  }
  const bool is_signed = number.starts_with('+') || number.starts_with('-');
  const bool share = number.ends_with('%');
  if (share && !is_signed) {
    throw UsageError(fmt::format("{}={}: more or less? Say +{} or -{}", key, text, text, text));
  }
  const bool factor = number.starts_with('x') || number.ends_with('x');
  change.kind_ = share || factor ? Kind::multiply : is_signed ? Kind::add : Kind::set;
  if (share) {
    number.pop_back();
  } else if (factor) {
    number.erase(number.starts_with('x') ? 0 : number.size() - 1, 1);
  }
  if (number.starts_with('+')) {
    number.erase(0, 1);
  }
  try {
    change.nanos_ = Money::parse(number, "").nanos();
  } catch (const PricingError&) {
    throw UsageError(fmt::format(
        "{}={}: expected a number such as 24, a difference +8, a factor x2 or a share -20%",
        key,
        text));
  }
  if (share) {
    change.nanos_ = one + change.nanos_ / 100;
  }
  const bool may_be_none = key == "cached-prompt-tokens" || key.ends_with("-stddev");
  if (may_be_none && change.nanos_ == 0) {
    return change;
  }
  if ((change.kind_ == Kind::multiply || change.kind_ == Kind::set) && change.nanos_ <= 0) {
    throw UsageError(fmt::format("{}={}: nothing would be left", key, text));
  }
  return change;
}

double Change::of(double now) const {
  const double number = static_cast<double>(nanos_) / one;
  return kind_ == Kind::set ? number : kind_ == Kind::add ? now + number : now * number;
}

Money Change::of(const Money& now) const {
  if (!currency_.empty() && currency_ != now.currency()) {
    throw UsageError(fmt::format(
        "price= in {}: this machine is priced in {}; say it in that", currency_, now.currency()));
  }
  const Money number(nanos_, now.currency());
  return kind_ == Kind::set ? number : kind_ == Kind::add ? now + number : now.times(nanos_, one);
}

void Change::count_in(const std::string& currency, const Query& query) {
  if (currency_.empty()) {
    return;
  }
  if (const auto there = exchanged(Money(nanos_, currency_), currency, query)) {
    nanos_ = there->nanos();
    currency_ = currency;
  }
}

std::vector<std::string> supposition_keys() {
  std::vector<std::string> keys;
  for (const auto& [name, target] : numbers) {
    keys.emplace_back(name);
  }
  for (const auto& [name, target] : texts) {
    keys.emplace_back(name);
  }
  return keys;
}

Supposition parse_supposition(const std::vector<std::string>& words) {
  Supposition supposition;
  std::set<std::string> seen;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    const auto said = word.substr(0, equals);
    const auto key = said == "cpus" ? "vcpus" : said;  // as predict calls them
    if (equals == std::string::npos || equals + 1 == word.size()) {
      unknown_key(word, key);
    }
    if (!seen.insert(key).second) {
      throw UsageError(fmt::format("{}: {} is supposed twice", word, key));
    }
    set(supposition, word, key, word.substr(equals + 1));
    supposition.words.push_back(word);
  }
  return supposition;
}

}  // namespace rightsize
