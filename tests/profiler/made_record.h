// A record of a run that nobody made.
#pragma once

#include <string>

#include "profiler/record.h"

namespace rightsize::test {

inline Record make_record(const std::string& id, const std::string& campaign = "demo") {
  Record record;
  record.id = id;
  record.campaign = campaign;
  record.name = "cell " + id;
  record.status = Status::measured;
  record.throughput = {400, 390, 410, 0.01, 9};
  return record;
}

}  // namespace rightsize::test
