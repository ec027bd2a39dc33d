// How fast and in how much memory a large AWS bulk offer file is imported: one is made, of as many
// MB as the first argument says (1024), of which one product in fifty is a Linux machine to keep.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pricing/import/import.h"

using namespace rightsize;

namespace {

void write_product(std::ofstream& out, std::size_t i) {
  out << fmt::format(
      "{}    \"SKU{}\" : {{\n      \"sku\" : \"SKU{}\",\n      \"productFamily\" : \"Compute "
      "Instance\",\n      \"attributes\" : {{\n        \"regionCode\" : \"us-east-1\",\n        "
      "\"instanceType\" : \"p3.2xlarge\",\n        \"vcpu\" : \"8\",\n        \"memory\" : \"61 "
      "GiB\",\n        \"gpu\" : \"1\",\n        \"tenancy\" : \"Shared\",\n        "
      "\"operatingSystem\" : \"{}\",\n        \"preInstalledSw\" : \"NA\",\n        "
      "\"capacitystatus\" : \"Used\"\n      }}\n    }}",
      i == 0 ? "" : ",\n",
      i,
      i,
      i % 50 == 0 ? "Linux" : "Windows");
}

void write_term(std::ofstream& out, std::size_t i) {
  out << fmt::format(
      "{}      \"SKU{}\" : {{\n        \"SKU{}.J\" : {{\n          \"priceDimensions\" : {{\n      "
      " "
      "     \"r\" : {{ \"unit\" : \"Hrs\", \"pricePerUnit\" : {{ \"USD\" : \"3.0600000000\" }} "
      "}}\n "
      "         }},\n          \"termAttributes\" : {{ }}\n        }}\n      }}",
      i == 0 ? "" : ",\n",
      i,
      i);
}

// About 640 bytes for each product and its term.
std::size_t write_file(const std::string& path, std::size_t bytes) {
  const std::size_t products = bytes / 640 + 1;
  std::ofstream out(path);
  out << "{\n  \"offerCode\" : \"AmazonEC2\",\n  \"publicationDate\" : \"2026-11-01T00:00:00Z\",\n"
         "  \"products\" : {\n";
  for (std::size_t i = 0; i < products; ++i) {
    write_product(out, i);
  }
  out << "\n  },\n  \"terms\" : {\n    \"OnDemand\" : {\n";
  for (std::size_t i = 0; i < products; ++i) {
    write_term(out, i);
  }
  out << "\n    }\n  }\n}\n";
  out.flush();
  return static_cast<std::size_t>(out.tellp());
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 1024;
  const std::string path = fmt::format("/tmp/rightsize_bench_prices_{}.json", getpid());
  const auto size = write_file(path, static_cast<std::size_t>(megabytes * 1e6));
  const auto catalog = shipped_catalog();
  ImportOptions options;
  options.known = &catalog;
  const double before = peak_mib();
  const auto start = std::chrono::steady_clock::now();
  std::ifstream in(path, std::ios::binary);
  const auto table = import_prices(in, path, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::remove(path.c_str());
  fmt::print(
      "{:.0f} MB: {} products, {} offers kept in {:.1f} s ({:.0f} MB/s); peak memory {:.1f} MiB "
      "before, {:.1f} MiB after\n",
      static_cast<double>(size) / 1e6,
      table.rows,
      table.offers.size(),
      took.count(),
      static_cast<double>(size) / 1e6 / took.count(),
      before,
      peak_mib());
  return table.offers.empty() ? 1 : 0;
}
