// Job files (TOML): refused with a UsageError or read, never a crash.
#include <cstdint>
#include <cstdio>
#include <fstream>

#include <unistd.h>

#include "advisor/query/query.h"
#include "kernels/onnx/onnx.h"

using namespace rightsize;

// Stands in for kernels/onnx, whose protobuf is not under test: no network file is looked for.
std::string rightsize::rooted_network(const std::string& name, const std::string&) {
  return name;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/tmp/rightsize_fuzz_query_" + std::to_string(getpid()) + ".toml";
  {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  try {
    static_cast<void>(load_query(path));
  } catch (const std::exception&) {
  }
  return 0;
}
