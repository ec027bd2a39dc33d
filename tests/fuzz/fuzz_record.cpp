// Records as JSON lines, ours and foreign ones: refused or read, never a crash.
#include <cstdint>

#include <boost/json.hpp>

#include "profiler/record.h"

using namespace rightsize;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  boost::json::error_code error;
  const auto value = boost::json::parse({reinterpret_cast<const char*>(data), size}, error);
  if (error || !value.is_object()) {
    return 0;
  }
  try {
    const auto record = record_from_json(value.get_object());
    static_cast<void>(boost::json::serialize(to_json(record)));
  } catch (const std::exception&) {
  }
  return 0;
}
