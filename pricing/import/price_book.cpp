// A price book of the user's own (TOML): discounts on list prices and prices agreed one by one.
//   book = "acme-2026"   as_of = "2026-10-01"   source = "contract 4711"   currency = "USD"
//   [[discount]]  provider = "aws"  instances = "p4d.*"  region = "us-*"  market = "on-demand"
//   percent = "12"
//   [[offer]]     provider = "aws"  instance = "p5.48xlarge"  region = "us-east-1"  price = "49.50"
//   per = "month" (whole months are billed, monthly.h; without it, or "hour", by the hour)
//   cpu = "Sapphire Rapids" (where it is known)
// Prices and percentages are text, because a TOML number would pass through a double.
#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "pricing/book_name.h"
#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/monthly.h"
#include "pricing/shapes.h"
#include "pricing/sold_as.h"

namespace rightsize {
namespace {

class PriceBook {
 public:
  PriceBook(toml::table book, const ImportOptions& options, ImportedTable& table)
      : book_(std::move(book)), options_(options), out_(table) {
    name_ = text(book_, "book");
    name_ = name_.empty() ? options.book : name_;
    if (const auto why = unusable_book(name_); !why.empty() && book_.contains("book")) {
      fail(*book_.get("book"), fmt::format("book: {}", why));
    }
    as_of_ = text(book_, "as_of");
    as_of_ = as_of_.empty() ? options.as_of : as_of_;
    source_ = text(book_, "source");
    source_ = source_.empty() ? out_.file : source_;
    reject_unknown(book_, {"book", "as_of", "source", "currency", "discount", "offer"}, "the book");
  }

  void read() {
    each("offer", [&](const toml::table& row) { add_offer(row); });
    each("discount", [&](const toml::table& row) { add_discount(row); });
  }

 private:
  [[noreturn]] void fail(const toml::node& node, std::string_view what) const {
    throw PricingError(fmt::format("{}:{}: {}", out_.file, node.source().begin.line, what));
  }

  std::string text(const toml::table& row, std::string_view key) const {
    const auto* node = row.get(key);
    if (node == nullptr) {
      return "";
    }
    const auto* value = node->as_string();
    if (value == nullptr) {
      fail(*node, fmt::format("{}: expected text in quotes", key));
    }
    if (value->get().empty()) {  // a key that is left out says as much, and is no slip
      fail(*node, fmt::format("{} is empty", key));
    }
    return value->get();
  }

  std::string required(const toml::table& row, std::string_view key) const {
    auto value = text(row, key);
    if (value.empty()) {
      fail(row, fmt::format("{} is missing", key));
    }
    return value;
  }

  void reject_unknown(const toml::table& row,
                      std::initializer_list<std::string_view> known,
                      std::string_view where) const {
    for (const auto& [key, value] : row) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
        fail(value,
             fmt::format(
                 "\"{}\" is no key of {}, which has {}", key.str(), where, fmt::join(known, ", ")));
      }
    }
  }

  template <typename Use>
  void each(std::string_view name, Use&& use) {
    const auto* node = book_.get(name);
    if (node == nullptr) {
      return;
    }
    const auto* rows = node->as_array();
    if (rows == nullptr || !rows->is_homogeneous(toml::node_type::table)) {
      fail(*node, fmt::format("expected [[{}]]", name));
    }
    for (const auto& row : *rows) {
      ++out_.rows;
      use(*row.as_table());
    }
  }

  Market market(const toml::table& row) const {
    const auto word = text(row, "market");
    const auto parsed = row.contains("market") ? parse_market(word) : Market::on_demand;
    if (!parsed) {
      fail(*row.get("market"), "market: expected on-demand, spot, reserved-1y or reserved-3y");
    }
    return *parsed;
  }

  // Whether anybody gives a rate for it is for the question to say.
  std::string currency(const toml::table& row) const {
    const auto* said = row.contains("currency") ? &row : &book_;
    const auto code = text(*said, "currency");
    if (code.empty()) {
      return "USD";
    }
    if (!is_currency_code(code)) {
      fail(*said->get("currency"),
           fmt::format("currency = \"{}\": expected an ISO 4217 code such as USD, EUR or CNY",
                       code));
    }
    return code;
  }

  void stamp(Offer& offer, const toml::table& row, std::string_view how) const {
    offer.book = name_;
    offer.as_of = as_of_;
    offer.source = fmt::format("{}{}", source_, how);
    offer.table = out_.file;
    offer.line = static_cast<int>(row.source().begin.line);
  }

  void add_offer(const toml::table& row) {
    reject_unknown(row,
                   {"provider", "instance", "region", "market", "price", "per", "currency", "cpu"},
                   "an offer");
    Offer offer;
    offer.provider = required(row, "provider");
    offer.instance = required(row, "instance");
    offer.region = required(row, "region");
    offer.market = market(row);
    offer.cpu = text(row, "cpu");
    stamp(offer, row, "");
    const auto code = currency(row);
    const int hours = text(row, "per") == "month" ? hours_per_month : 1;
    const auto amount = required(row, "price");
    const auto line = static_cast<int>(row.get("price")->source().begin.line);
    const auto figure = price_at(amount, code, line, "price", out_, hours);
    if (!figure.price) {
      return;
    }
    set_price(row, *figure.price, offer);
    refuse_second(row, offer);
    if (!Shapes(options_.known, offer.provider).describe(offer)) {
      out_.note(offer.line,
                "instance",
                fmt::format("{}: no table here says its vCPUs, memory and GPUs", offer.instance));
    }
    if (offer.arch.empty() && is_arm_cpu(offer.cpu)) {
      offer.arch = "arm64";
    }
    out_.offers.push_back(offer);
  }

  void set_price(const toml::table& row, const Money& price, Offer& offer) const {
    const auto per = text(row, "per");
    if (!row.contains("per") || per == "hour") {
      offer.price_per_hour = price;
      return;
    }
    const auto& node = *row.get("per");
    if (per != "month") {
      fail(node, fmt::format("per = \"{}\": expected \"hour\" or \"month\"", per));
    }
    if (offer.market != Market::on_demand) {
      fail(node,
           fmt::format("per = \"month\" with market = \"{}\": whole months are billed of "
                       "on-demand machines alone; {}",
                       to_string(offer.market),
                       offer.market == Market::spot
                           ? "one that is taken away is paid for as long as it was there"
                           : "a reservation's price is per hour, over all of its term"));
    }
    try {
      rent_by_month(offer, price);
    } catch (const PricingError& error) {
      fail(*row.get("price"), fmt::format("price: {}", error.what()));
    }
  }

  // Of two prices of one thing neither can be taken for the other.
  void refuse_second(const toml::table& row, const Offer& offer) const {
    const auto first =
        std::find_if(out_.offers.begin(), out_.offers.end(), [&](const Offer& known) {
          return sold_as(known) == sold_as(offer);
        });
    if (first != out_.offers.end()) {
      fail(row,
           fmt::format("{} in {} is agreed already on line {}: delete one",
                       offer.instance,
                       offer.region,
                       first->line));
    }
  }

  [[nodiscard]] bool agreed_already(const Offer& offer) const {
    return std::any_of(out_.offers.begin(), out_.offers.end(), [&](const Offer& known) {
      return known.provider == offer.provider && known.instance == offer.instance &&
             known.region == offer.region && known.market == offer.market &&
             is_monthly(known) == is_monthly(offer) &&
             (known.cpu.empty() || known.cpu == offer.cpu);
    });
  }

  // List prices of the current book, less the discount; prices agreed one by one come first.
  void add_discount(const toml::table& row) {
    reject_unknown(row, {"provider", "instances", "region", "market", "percent"}, "a discount");
    const auto provider = required(row, "provider");
    const auto percent = required(row, "percent");
    const auto wanted = market(row);
    const std::regex instances = pattern(row, "instances");
    const std::regex region = pattern(row, "region");
    std::vector<Offer> discounted;
    bool matches = false;
    for (const auto& offer :
         options_.known == nullptr ? std::span<const Offer>() : options_.known->offers()) {
      if (offer.provider != provider || offer.book != "current" || offer.market != wanted ||
          !std::regex_match(offer.instance, instances) || !std::regex_match(offer.region, region)) {
        continue;
      }
      matches = true;
      if (!agreed_already(offer)) {
        discounted.push_back(offer);
        stamp(discounted.back(), row, "; list: " + offer.table);
      }
    }
    if (discounted.empty()) {
      out_.note(static_cast<int>(row.source().begin.line),
                "discount",
                matches ? "all that it matches is agreed or discounted above it, and the first "
                          "counts: nothing came of it"
                        : "matches no list price: nothing came of it");
    }
    try {
      apply_discount(discounted, percent);
    } catch (const PricingError& error) {
      fail(*row.get("percent"), fmt::format("percent = {}", error.what()));
    }
    out_.offers.insert(out_.offers.end(), discounted.begin(), discounted.end());
  }

  [[nodiscard]] std::regex pattern(const toml::table& row, std::string_view key) const {
    const auto value = text(row, key);
    try {
      return std::regex(value.empty() ? ".*" : value);
    } catch (const std::regex_error& error) {
      fail(*row.get(key), fmt::format("{} \"{}\": {}", key, value, error.what()));
    }
  }

  toml::table book_;
  const ImportOptions& options_;
  ImportedTable& out_;
  std::string name_;
  std::string as_of_;
  std::string source_;
};

}  // namespace

void read_price_book(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  std::ostringstream text;
  text << in.rdbuf();
  try {
    PriceBook(toml::parse(text.str(), table.file), options, table).read();
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    throw PricingError(fmt::format("{}:{}:{}: {}",
                                   table.file,
                                   begin.line,
                                   begin.column,
                                   options.toml_words(error.description())));
  }
}

}  // namespace rightsize
