#include "pricing/on_prem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "pricing/import/figures.h"

namespace rightsize {
namespace {

constexpr std::string_view own_provider = "on-prem";

constexpr std::int64_t nano = 1'000'000'000;
constexpr std::int64_t hours_per_year = 8760;

constexpr std::int64_t most_machines = 100'000;

constexpr std::array<std::string_view, 11> known_words{"gpu",
                                                       "price",
                                                       "years",
                                                       "power",
                                                       "kwh",
                                                       "utilisation",
                                                       "vcpus",
                                                       "memory",
                                                       "disk",
                                                       "cpu",
                                                       "count"};

// Money as people write it: "180000USD", "0.22 EUR", "EUR 0.22/kWh"; the currency is "" where none
// is named.
struct Amount {
  std::string number;
  std::string currency;
};

Amount amount_of(std::string_view text) {
  text = text.substr(0, text.find("/kWh"));
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  const auto first = std::find_if(text.begin(), text.end(), is_digit);
  const auto last = std::find_if_not(first, text.end(), is_digit);
  Amount amount{std::string(first, last), std::string(text.begin(), first)};
  amount.currency.append(last, text.end());
  std::erase(amount.currency, ' ');
  return amount;
}

// The words of --on-prem by name.
class Words {
 public:
  explicit Words(std::string_view text) {
    while (!text.empty()) {
      const auto comma = std::min(text.find(','), text.size());
      const auto word = text.substr(0, comma);
      const auto equals = word.find('=');
      const auto name = word.substr(0, equals);
      if (equals == std::string_view::npos ||
          std::find(known_words.begin(), known_words.end(), name) == known_words.end()) {
        fail(word,
             "a word such as price=180000USD; there are gpu, price, years, power, kwh, "
             "utilisation, vcpus, memory, disk, cpu and count");
      }
      if (!words_.emplace(name, word.substr(equals + 1)).second) {
        fail(word, fmt::format("{} once, and it is there twice", name));
      }
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
  }

  [[noreturn]] static void fail(std::string_view word, std::string_view expected) {
    throw PricingError(fmt::format("\"{}\": expected {}", word, expected));
  }

  [[nodiscard]] std::string text(const std::string& name) const {
    const auto found = words_.find(name);
    return found == words_.end() ? "" : found->second;
  }

  // The exact decimal in front of `unit`, as money of `currency`.
  [[nodiscard]] Money decimal(const std::string& name,
                              std::string_view unit,
                              const std::string& currency,
                              std::string_view example) const {
    auto value = text(name);
    if (value.ends_with(unit)) {
      value.resize(value.size() - unit.size());
    } else if (name == "power") {
      fail(name + "=" + value, example);
    }
    return parsed(name, value, currency, example);
  }

  // An amount, whose currency the caller has looked at.
  [[nodiscard]] Money money(const std::string& name,
                            const std::string& currency,
                            std::string_view example) const {
    return parsed(name, amount_of(text(name)).number, currency, example);
  }

 private:
  [[nodiscard]] Money parsed(const std::string& name,
                             const std::string& value,
                             const std::string& currency,
                             std::string_view example) const {
    try {
      const auto parsed = Money::parse(value, currency);
      if (parsed.nanos() > 0) {
        return parsed;
      }
    } catch (const PricingError&) {
    }
    fail(name + "=" + text(name), example);
  }

  std::map<std::string, std::string> words_;
};

// Of the words that a price needs all that are missing, with a machine that has them.
void require_price(const Words& words) {
  constexpr std::array needed{"price", "years", "power", "kwh"};
  std::string missing;
  int count = 0;
  for (const std::string word : needed) {
    if (words.text(word).empty()) {
      missing += (missing.empty() ? "" : ", ") + word;
      ++count;
    }
  }
  if (count > 0) {
    throw PricingError(fmt::format(
        "{} {} missing: expected a machine such as \"gpu=A100:8,price=180000USD,years=4,"
        "power=6.5kW,kwh=0.15,vcpus=128,memory=1024GiB\" (written off over the years; "
        "drawn while it works; the price of one kWh)",
        missing,
        count == 1 ? "is" : "are"));
  }
}

std::string currency_said(const Words& words) {
  return amount_of(words.text("price")).currency;
}

// "180000USD" -> 180000 in USD.
Money purchase_of(const Words& words) {
  const auto said = currency_said(words);
  const std::string currency = said.empty() ? "USD" : said;
  constexpr auto example = "an amount with its currency such as price=180000USD";
  if (!is_currency_code(currency)) {
    Words::fail("price=" + words.text("price"), example);
  }
  return words.money("price", currency, example);
}

// In the currency of the machine's price, which it may name.
Money kwh_price_of(const Words& words, const std::string& currency) {
  const auto text = words.text("kwh");
  const auto said = amount_of(text).currency;
  if (said.empty() || said == currency) {
    return words.money("kwh", currency, "kwh=0.15: the price of one kWh");
  }
  if (!is_currency_code(said)) {
    Words::fail("kwh=" + text, "the price of one kWh such as kwh=0.15, or kwh=0.15" + currency);
  }
  Words::fail(
      "kwh=" + text,
      fmt::format("the price of one kWh in {}, as the machine's: kwh=0.15 or kwh=0.15{}{}",
                  currency,
                  currency,
                  currency_said(words).empty()
                      ? fmt::format("; or price={}{} where both are", words.text("price"), said)
                      : ""));
}

void read_gpu(const Words& words, Offer& offer) {
  const auto text = words.text("gpu");
  const auto colon = std::min(text.find(':'), text.size());
  offer.gpu = text.substr(0, colon);
  if (!offer.gpu.empty()) {
    const auto count = colon < text.size() ? read_quantity(text.substr(colon + 1)) : 1.0;
    if (!count) {
      Words::fail("gpu=" + text, "a GPU and how many, such as gpu=A100:8");
    }
    offer.gpus = *count;
  }
}

// "512", "512GiB", "30TB": in GiB.
std::optional<double> read_gib(const std::string& text) {
  constexpr double gib = 1 << 30;
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"GiB", gib}, {"TiB", 1024 * gib}, {"GB", 1e9}, {"TB", 1e12}}};
  for (const auto& [unit, bytes] : units) {
    if (text.ends_with(unit)) {
      const auto count = read_quantity(text.substr(0, text.size() - unit.size()));
      return count ? std::optional(*count * bytes / gib) : std::nullopt;
    }
  }
  return read_quantity(text);
}

std::optional<double> quantity(const Words& words, const std::string& name) {
  const auto text = words.text(name);
  const bool of_bytes = name == "memory" || name == "disk";
  const auto value = of_bytes ? read_gib(text) : read_quantity(text);
  if (!text.empty() && !value) {
    Words::fail(name + "=" + text,
                of_bytes ? "a size such as 512GiB or 30TB, in GiB unless it says"
                         : "a number more than zero");
  }
  return value;
}

std::optional<int> count_of(const Words& words) {
  const auto text = words.text("count");
  if (text.empty()) {
    return std::nullopt;
  }
  const auto count = read_quantity(text);
  if (!count || *count != std::floor(*count) || *count > static_cast<double>(most_machines)) {
    Words::fail("count=" + text, "how many such machines there are, such as count=4");
  }
  return static_cast<int>(*count);
}

std::int64_t percent_of(const Words& words) {
  if (words.text("utilisation").empty()) {
    return 100 * nano;
  }
  const auto percent =
      words.decimal("utilisation", "%", "%", "a percentage such as utilisation=60%").nanos();
  if (percent > 100 * nano) {
    Words::fail("utilisation=" + words.text("utilisation"), "at most 100 %");
  }
  return percent;
}

std::string purchase_words(const Words& words,
                           const Money& purchase,
                           const Money& years,
                           std::int64_t percent,
                           bool always_on) {
  const auto bought =
      fmt::format("purchase of {} {} over", purchase.decimal(0), purchase.currency());
  const auto said = words.text("utilisation");
  return said.empty() && !always_on
             ? fmt::format("{} all hours of {} years", bought, years.decimal(0))
             : fmt::format("{} {} years at {} % use{}",
                           bought,
                           years.decimal(0),
                           Money(percent, "%").decimal(0),
                           percent == percent_of(words) ? "" : ", as a service takes all hours");
}

}  // namespace

bool is_own(const Offer& offer) {
  return offer.book == own_book && offer.provider == own_provider;
}

Offer on_prem_offer(std::string_view text, bool always_on) {
  const Words words(text);
  require_price(words);
  const Money purchase = purchase_of(words);
  const auto years = words.decimal("years", "", "y", "years=4: over which it is written off");
  const auto power = words.decimal("power", "kW", "kW", "power=6.5kW: drawn while it works");
  const auto kwh = kwh_price_of(words, purchase.currency());
  const auto percent = always_on ? 100 * nano : percent_of(words);
  Offer offer;
  offer.provider = own_provider;
  offer.region = own_book;
  offer.book = own_book;
  read_gpu(words, offer);
  offer.vcpus = quantity(words, "vcpus");
  offer.memory_gib = quantity(words, "memory");
  offer.local_disk_gib = quantity(words, "disk");
  offer.cpu = words.text("cpu");
  offer.arch = is_arm_cpu(offer.cpu) ? "arm64" : "x86_64";
  offer.instance = offer.gpu.empty() ? std::string("own machine")
                                     : fmt::format("own {:g}x {}", offer.gpus, offer.gpu);
  offer.count = count_of(words);
  // / years, / 8,760, / utilisation; each rounded at the billionth.
  const Money hundred_hours = purchase.times(nano, years.nanos()).times(100, hours_per_year);
  offer.parts = {{purchase_words(words, purchase, years, percent, always_on),
                  hundred_hours.times(nano, percent),
                  hundred_hours.times(1, 100),
                  words.text("utilisation").empty() && !always_on},
                 {fmt::format("power: {} kW at {} a kWh", power.decimal(0), kwh.decimal()),
                  kwh.times(power.nanos(), nano)}};
  offer.price_per_hour = offer.parts[0].per_hour + offer.parts[1].per_hour;
  offer.as_of = as_given;
  offer.source =
      currency_said(words).empty() ? std::string(own_figures_in_dollars) : "your own figures";
  offer.table = "--on-prem";
  return offer;
}

}  // namespace rightsize
