// Every price adapter, by content and by name: a hostile table may be refused, never crash.
#include <cstdint>
#include <fstream>
#include <sstream>

#include "pricing/check.h"
#include "pricing/import/import.h"
#include "pricing/offer_csv.h"

using namespace rightsize;

namespace {

// A few of the shipped shapes: enough to join with, few enough to be quick.
Catalog some_catalog() {
  Catalog catalog;
  for (const std::string table : {"azure.csv", "aws_2017.csv", "alibaba.csv"}) {
    std::ifstream in(RIGHTSIZE_SOURCE_DIR "/pricing/tables/" + table);
    std::ostringstream text;
    text << in.rdbuf();
    catalog.add_offers(text.str(), table);
  }
  return catalog;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog known = some_catalog();
  if (size < 1) {
    return 0;
  }
  // The first byte says which adapter; any beyond the last: by content.
  const auto formats = import_formats();
  const std::size_t which = data[0] % (formats.size() + 1);
  std::istringstream in(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  ImportOptions options;
  options.known = &known;
  try {
    const auto table = import_prices(
        in, "fuzz", options, which < formats.size() ? formats[which].name : std::string_view());
    for (const auto& offer : table.offers) {
      if (offer.price_per_hour.nanos() < 0) {
        __builtin_trap();  // nobody is paid for renting
      }
    }
    static_cast<void>(check_offers(table.offers, {"2026-11-21", 30, 90, &known}));
    // What was read can be written and read again, to the same prices.
    std::istringstream again(to_offer_csv(table.offers));
    static_cast<void>(import_prices(again, "again", options, "skypilot"));
  } catch (const PricingError&) {
  }
  return 0;
}
