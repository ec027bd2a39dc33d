// The tables in this binary: bytes of pricing/tables/*.csv, placed there by the build.
#include <array>
#include <string_view>
#include <utility>

#include "pricing/catalog.h"
#include "rightsize_price_tables.h"  // generated: one string_view per table

namespace rightsize {

namespace {

Catalog read_tables() {
  Catalog catalog;
  for (const auto& [name, text] : std::array<std::pair<std::string_view, std::string_view>, 10>{
           {{"aws.csv", embedded::aws_csv()},
            {"gcp.csv", embedded::gcp_csv()},
            {"azure.csv", embedded::azure_csv()},
            {"alibaba.csv", embedded::alibaba_csv()},
            {"neoclouds.csv", embedded::neoclouds_csv()},
            {"offered_singly.csv", embedded::offered_singly_csv()},
            {"aws_neuron.csv", embedded::aws_neuron_csv()},
            {"gcp_tpu.csv", embedded::gcp_tpu_csv()},
            {"aws_2017.csv", embedded::aws_2017_csv()},
            {"gcp_2017.csv", embedded::gcp_2017_csv()}}}) {
    catalog.add_offers(text, name);
  }
  catalog.add_volumes(embedded::volumes_csv(), "volumes.csv");
  catalog.add_disk_caps(embedded::disk_caps_csv(), "disk_caps.csv");
  catalog.add_billing(embedded::billing_csv(), "billing.csv");
  catalog.add_object_storage(embedded::object_storage_csv(), "object_storage.csv");
  catalog.add_retirements(embedded::retired_csv(), "retired.csv");
  catalog.add_networks(embedded::network_csv(), "network.csv");
  return catalog;
}

}  // namespace

// Read once in a process, which may ask many questions.
Catalog shipped_catalog() {
  static const Catalog catalog = read_tables();
  return catalog;
}

}  // namespace rightsize
