// The adapters, one per file, for the table in import.cpp. Each appends to `table`.
#pragma once

#include <optional>
#include <string_view>

#include "pricing/import/csv_row.h"
#include "pricing/import/figures.h"
#include "pricing/import/import.h"

namespace rightsize {

// nullopt where the field is empty or says that nothing is known. What is malformed is noted where
// table.note_malformed, else PricingError is thrown.
[[nodiscard]] std::optional<double> number_in(const CsvRow& row,
                                              std::string_view column,
                                              ImportedTable& table);

// What a machine has of something, more than none: vCPUs, GiB. A zero, a blank and a word for
// "unknown" are noted and not stated. Malformed: as number_in().
[[nodiscard]] std::optional<double> stated(const CsvRow& row,
                                           std::string_view column,
                                           ImportedTable& table);

// The price of a field, of so many hours together; a trap is noted, and what is malformed goes to
// table.malformed().
[[nodiscard]] PriceFigure price_at(std::string_view text,
                                   const std::string& currency,
                                   int line,
                                   const std::string& field,
                                   ImportedTable& table,
                                   int hours = 1);

// How many GPUs `column` says, into `offer`, whose GPU is read already: a machine with some that
// nobody names must not pass for one without.
void read_gpu_count(const CsvRow& row, std::string_view column, ImportedTable& table, Offer& offer);

// SkyPilot's catalogue (v5 to v8) and our own tables, which are the same with more columns.
void read_offer_table(std::istream& in, const ImportOptions& options, ImportedTable& table);
// AWS bulk offer files of AmazonEC2, as index.json and index.csv.
void read_aws_json(std::istream& in, const ImportOptions& options, ImportedTable& table);
void read_aws_csv(std::istream& in, const ImportOptions& options, ImportedTable& table);
// Pages of Azure's retail prices; several in one file.
void read_azure(std::istream& in, const ImportOptions& options, ImportedTable& table);
// Pages of the Cloud Billing catalogue of Compute Engine.
void read_gcp(std::istream& in, const ImportOptions& options, ImportedTable& table);
void read_gpuhunt(std::istream& in, const ImportOptions& options, ImportedTable& table);
// instances.json of ec2instances.info.
void read_vantage(std::istream& in, const ImportOptions& options, ImportedTable& table);
// Negotiated prices and discounts on list prices (TOML).
void read_price_book(std::istream& in, const ImportOptions& options, ImportedTable& table);

}  // namespace rightsize
