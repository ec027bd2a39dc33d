// gpuhunt's catalogue: instance_name, location, price, cpu, memory, gpu_count, gpu_name, gpu_memory
// (of each GPU, GiB), spot, disk_size, gpu_vendor, flags; one row per market.
#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/csv_row.h"
#include "pricing/import/figures.h"
#include "pricing/import/first_price.h"

namespace rightsize {
namespace {

Offer offer_of(const CsvRow& row, const ImportOptions& options, ImportedTable& table) {
  Offer offer;
  offer.provider = row.text("provider").empty() ? options.provider : row.text("provider");
  offer.instance = row.text("instance_name");
  offer.region = row.text("location");
  offer.market = mentions(row.text("spot"), "true") ? Market::spot : Market::on_demand;
  offer.gpu = row.text("gpu_name");
  read_gpu_count(row, "gpu_count", table, offer);
  offer.gpu_memory_gib = offer.gpu.empty() ? std::nullopt : read_quantity(row.text("gpu_memory"));
  if (offer.gpu == "A100" && offer.gpu_memory_gib == 80) {
    offer.gpu = "A100-80GB";  // gpuhunt tells the two apart by memory only
  }
  offer.vcpus = stated(row, "cpu", table);
  offer.memory_gib = read_quantity(row.text("memory"));
  offer.arch = row.text("cpu_arch") == "arm"   ? "arm64"
               : row.text("cpu_arch") == "x86" ? "x86_64"
                                               : row.text("cpu_arch");
  offer.local_disk_gib = read_quantity(row.text("disk_size"));
  offer.book = options.book;
  offer.as_of = options.as_of;
  offer.source = table.file;
  offer.table = table.file;
  offer.line = row.line();
  return offer;
}

}  // namespace

void read_gpuhunt(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  CsvStream rows(in, table.file);
  CsvTable header;
  CsvTable::Row row;
  if (rows.next(row)) {
    header.header = row.fields;
  }
  require_columns(header, {"instance_name", "location", "price", "spot"}, table.file);
  while (rows.next(row)) {
    ++table.rows;
    if (!table.is_whole(row.line, row.fields.size(), header.header.size())) {
      continue;
    }
    const CsvRow fields(header, row, table.file);
    const auto figure = price_at(fields.text("price"), "USD", row.line, "price", table);
    if (figure.price) {
      table.offers.push_back(offer_of(fields, options, table));
      table.offers.back().price_per_hour = *figure.price;
    } else if (figure.trap.empty()) {
      table.without_price(row.line);
    }
  }
  keep_first_prices(table);
}

}  // namespace rightsize
