// AWS bulk offer files of AmazonEC2. JSON: products{sku: {productFamily, attributes}}, then
// terms{OnDemand|Reserved{sku{offer{priceDimensions{rate{unit, pricePerUnit{USD}}},
// termAttributes}}}}. CSV: rows of metadata, the header that begins with SKU, one row per rate.
#include <array>

#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/aws_offers.h"
#include "pricing/import/csv.h"
#include "pricing/import/json_records.h"

namespace rightsize {
namespace {

AwsProduct product_of(const JsonNode& node) {
  const JsonNode& a = node["attributes"];
  return {node.line,
          node["productFamily"].text,
          a["instanceType"].text,
          a["regionCode"].text,
          a["location"].text,
          a["operatingSystem"].text,
          a["tenancy"].text,
          a["preInstalledSw"].text,
          a["capacitystatus"].text,
          a["licenseModel"].text,
          a["operation"].text,
          a["marketoption"].text,
          a["vcpu"].text,
          a["memory"].text,
          a["gpu"].text,
          a["physicalProcessor"].text,
          a["storage"].text};
}

AwsTerm term_of(const JsonNode& node, bool reserved) {
  AwsTerm term;
  term.line = node.line;
  term.reserved = reserved;
  term.lease = node["termAttributes"]["LeaseContractLength"].text;
  term.payment = node["termAttributes"]["PurchaseOption"].text;
  term.offering_class = node["termAttributes"]["OfferingClass"].text;
  for (const auto& dimension : node["priceDimensions"].members) {
    const auto& prices = dimension["pricePerUnit"].members;
    if (prices.empty()) {
      continue;
    }
    term.currency = prices.front().key;
    (dimension["unit"].text == "Quantity" ? term.upfront : term.hourly) = prices.front().text;
  }
  return term;
}

// The columns of the CSV that are read, found once: there are more than eighty, and a million rows.
constexpr std::array<std::string_view, 25> csv_columns{"SKU",
                                                       "OfferTermCode",
                                                       "TermType",
                                                       "Unit",
                                                       "PricePerUnit",
                                                       "Currency",
                                                       "OfferingClass",
                                                       "LeaseContractLength",
                                                       "PurchaseOption",
                                                       "Product Family",
                                                       "Instance Type",
                                                       "Region Code",
                                                       "Location",
                                                       "Operating System",
                                                       "Tenancy",
                                                       "Pre Installed S/W",
                                                       "CapacityStatus",
                                                       "License Model",
                                                       "operation",
                                                       "MarketOption",
                                                       "vCPU",
                                                       "Memory",
                                                       "GPU",
                                                       "Physical Processor",
                                                       "Storage"};

class AwsCsv {
 public:
  AwsCsv(std::istream& in, const ImportOptions& options, ImportedTable& table)
      : rows_(in, table.file), out_(table), offers_(options, table) {}

  void read() {
    CsvTable::Row row;
    find_header(row);
    while (rows_.next(row)) {
      if (out_.is_whole(row.line, row.fields.size(), width_)) {
        add(row);
      }
    }
    for (const auto& [key, term] : reservations_) {
      offers_.add_term(key.substr(0, key.find(' ')), term);
    }
    offers_.finish();
  }

 private:
  void find_header(CsvTable::Row& row) {
    while (rows_.next(row)) {
      if (row.fields[0] == "SKU") {
        const CsvTable table{row.fields, {}};
        width_ = row.fields.size();
        for (std::size_t i = 0; i < csv_columns.size(); ++i) {
          columns_[i] = table.column(csv_columns[i]);
        }
        return;
      }
      if (row.fields[0] == "Publication Date" && row.fields.size() > 1) {
        offers_.published(row.fields[1]);
      }
    }
    throw PricingError(
        fmt::format("{}: there is no header line that begins with \"SKU\"", out_.file));
  }

  [[nodiscard]] const std::string& at(const CsvTable::Row& row, std::string_view name) const {
    static const std::string absent;
    for (std::size_t i = 0; i < csv_columns.size(); ++i) {
      if (csv_columns[i] == name) {
        return columns_[i] < 0 ? absent : row.fields[static_cast<std::size_t>(columns_[i])];
      }
    }
    return absent;
  }

  // A row has the product and one rate of one term; a reservation may have two such rows.
  void add(const CsvTable::Row& row) {
    const auto& sku = at(row, "SKU");
    AwsTerm term;
    term.line = row.line;
    term.reserved = at(row, "TermType") == "Reserved";
    term.lease = at(row, "LeaseContractLength");
    term.payment = at(row, "PurchaseOption");
    term.offering_class = at(row, "OfferingClass");
    term.currency = at(row, "Currency");
    if (!offers_.wants(term)) {
      return;
    }
    if (!offers_.keeps(sku)) {
      offers_.add_product(sku, product_of(row));
    }
    const bool upfront = at(row, "Unit") == "Quantity";
    if (!term.reserved) {
      term.hourly = upfront ? "" : at(row, "PricePerUnit");
      offers_.add_term(sku, term);
    } else if (offers_.keeps(sku)) {
      auto& kept = reservations_.emplace(sku + " " + at(row, "OfferTermCode"), term).first->second;
      (upfront ? kept.upfront : kept.hourly) = at(row, "PricePerUnit");
    }
  }

  [[nodiscard]] AwsProduct product_of(const CsvTable::Row& row) const {
    return {row.line,
            at(row, "Product Family"),
            at(row, "Instance Type"),
            at(row, "Region Code"),
            at(row, "Location"),
            at(row, "Operating System"),
            at(row, "Tenancy"),
            at(row, "Pre Installed S/W"),
            at(row, "CapacityStatus"),
            at(row, "License Model"),
            at(row, "operation"),
            at(row, "MarketOption"),
            at(row, "vCPU"),
            at(row, "Memory"),
            at(row, "GPU"),
            at(row, "Physical Processor"),
            at(row, "Storage")};
  }

  CsvStream rows_;
  ImportedTable& out_;
  AwsOffers offers_;
  std::array<int, csv_columns.size()> columns_{};
  std::size_t width_ = 0;
  std::map<std::string, AwsTerm> reservations_;  // by SKU and term, until both rows were seen
};

}  // namespace

void read_aws_json(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  AwsOffers offers(options, table);
  const auto wanted = [&](const JsonPath& path) {
    if (path.size() == 1) {
      return path[0] == "publicationDate";
    }
    if (path.size() == 3 && path[0] == "terms" && !offers.has_products()) {
      throw PricingError(
          fmt::format("{}: the terms stand before the products, which is not the order AWS writes: "
                      "a term cannot be told from another without its product",
                      table.file));
    }
    return (path.size() == 2 && path[0] == "products") ||
           (path.size() == 3 && path[0] == "terms" && offers.keeps(path[2]));
  };
  for_each_json_record(in, table.file, wanted, [&](const JsonPath& path, const JsonNode& node) {
    if (path.size() == 1) {
      offers.published(node.text);
    } else if (path.size() == 2) {
      offers.add_product(path[1], product_of(node));
    } else {
      for (const auto& term : node.members) {
        offers.add_term(path[2], term_of(term, path[1] == "Reserved"));
      }
    }
  });
  offers.finish();
}

void read_aws_csv(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  AwsCsv(in, options, table).read();
}

}  // namespace rightsize
