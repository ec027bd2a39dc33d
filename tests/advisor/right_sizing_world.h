// A catalogue made of rows, and today's machine judged against what is chosen from it.
#pragma once

#include <string>

#include <fmt/format.h>

#include "advisor/knowledge.h"
#include "advisor/right_sizing/right_sizing.h"
#include "advisor/search.h"
#include "support/made_catalog.h"

namespace rightsize::test {

inline constexpr const char* right_sizing_header =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,Currency,"
    "Arch,Book,AsOf,Source";

inline std::string row(const char* provider,
                       const char* name,
                       int vcpus,
                       int gib,
                       const char* gpu,
                       const char* price) {
  return fmt::format("{},{},{},{},{},1,here,{},USD,x86_64,current,2026-01-01,test\n",
                     provider,
                     name,
                     vcpus,
                     gib,
                     gpu,
                     price);
}

inline Knowledge world_of(const std::string& rows) {
  return knowledge_of(right_sizing_header, rows);
}

inline Recommendation judged(const Knowledge& world, const Query& query, const char* current) {
  auto answer = search(query, world.evidence());
  answer.current = right_size(answer, world.evidence(), current);
  return answer;
}

}  // namespace rightsize::test
