// Four machines that answer requests, and the question they answer.
#pragma once

#include <string>

#include <fmt/format.h>

#include "support/made_catalog.h"

namespace rightsize::test {

inline Knowledge service_world() {
  constexpr const char* header =
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source";
  const auto row = [](const char* name, int vcpus, const char* gpu, int gpus, const char* price) {
    return fmt::format("acme,{},{},{},{},{},here,{},USD,x86_64,current,2026-01-01,test\n",
                       name,
                       vcpus,
                       4 * vcpus,
                       gpu,
                       gpus,
                       price);
  };
  return knowledge_of(header,
                      row("t4.small", 4, "T4", 1, "0.50") + row("t4.large", 8, "T4", 1, "0.70") +
                          row("v100.one", 8, "V100", 1, "2.00") +
                          row("v100.four", 32, "V100", 4, "7.00"));
}

inline Query answering() {
  Query query;
  query.file = "service.toml";
  query.phase = Phase::infer;
  query.precision = Precision::fp16;
  query.batches = {1, 8, 16, 32};
  query.format = DataFormat::synthetic;
  query.service = Service{1500, 0.05, 0.005, 2, std::nullopt};
  return query;
}

}  // namespace rightsize::test
