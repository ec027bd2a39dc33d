// All offers, volumes and billing rules of the shipped tables and of books the user adds.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/bill.h"
#include "pricing/object_storage.h"
#include "pricing/offer.h"
#include "pricing/retirement.h"
#include "pricing/volume.h"

namespace rightsize {

struct TableInfo {
  std::string name;      // "aws.csv"
  std::string provider;  // "aws", or "several"
  std::string as_of;     // of its rows
  std::size_t offers = 0;
};

// Something in a table that is not used, or used with doubt.
struct PriceIssue {
  std::string table;
  int line = 0;
  std::string field;
  std::string text;
};

struct ImportedTable;

class Catalog {
 public:
  // Reads a table in SkyPilot's catalogue columns (by header name, without case) plus ours. A row
  // whose price is missing, zero, negative or a placeholder (99999999) is left out and noted as an
  // issue. Throws PricingError on a file that is not such a table.
  void add_offers(std::string_view csv, std::string_view table);
  // The offers and issues of a table that was imported (import/import.h).
  void add(ImportedTable table);
  void add(Offer offer);
  // Into a book of their own: where others come in their place.
  void shelve(const std::function<bool(const Offer&)>& which);
  void add_volumes(std::string_view csv, std::string_view table);
  void add_disk_caps(std::string_view csv, std::string_view table);
  // What joins machines of a type: on offers that are there and on those that come.
  void add_networks(std::string_view csv, std::string_view table);
  void add_billing(std::string_view csv, std::string_view table);
  void add_object_storage(std::string_view csv, std::string_view table);

  void add_retirements(std::string_view csv, std::string_view table);
  // Notes on each offer whether it is still sold on that day, as far as the tables know.
  void note_retired(std::string_view today);

  [[nodiscard]] std::span<const Offer> offers() const { return offers_; }
  [[nodiscard]] std::span<const Retirement> retirements() const { return retirements_; }
  [[nodiscard]] std::span<const VolumeClass> volumes() const { return volumes_; }
  // What the machine lets through to a disk of that class; nullptr when no table says.
  [[nodiscard]] const DiskCap* disk_cap(std::string_view provider,
                                        std::string_view instance,
                                        std::string_view volume) const;
  [[nodiscard]] std::span<const ObjectStorage> object_storage() const { return storages_; }
  [[nodiscard]] std::span<const TableInfo> tables() const { return tables_; }
  [[nodiscard]] std::span<const PriceIssue> issues() const { return issues_; }

  // The book whose disks and billing rules hold for offers of `book`: itself where the tables know
  // it, else "current", for books that users bring are of today.
  [[nodiscard]] std::string_view rules_book(std::string_view book) const;

  // The rule of the provider and rules_book(book), or the rule of last resort.
  [[nodiscard]] const BillingRule& billing(std::string_view provider, std::string_view book) const;

 private:
  void name_network(Offer& offer) const;

  std::vector<Offer> offers_;
  std::vector<VolumeClass> volumes_;
  std::vector<ObjectStorage> storages_;
  std::vector<BillingRule> rules_;
  std::map<std::string, DiskCap, std::less<>> caps_;          // by "provider/instance/class"
  std::map<std::string, std::string, std::less<>> networks_;  // by "provider/instance"
  std::vector<Retirement> retirements_;
  std::vector<TableInfo> tables_;
  std::vector<PriceIssue> issues_;
};

// The tables this binary ships (embedded at build time; pricing/tables).
[[nodiscard]] Catalog shipped_catalog();

}  // namespace rightsize
