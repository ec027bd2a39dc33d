#include "advisor/report/work_words.h"

#include <doctest/doctest.h>

#include "advisor/report/runs.h"

using namespace rightsize;
using report::rate_unit;
using report::throughput_unit;

TEST_CASE("work words: a file's items are what its network reads, before a run and after it") {
  Workload work;
  work.network = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/gpt2/model.onnx";
  CHECK(rate_unit(work) == "sequences/s");
  work.network = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/vit/model.onnx";
  CHECK(rate_unit(work) == "img/s");

  Record record;
  record.workload.network = "/of/another/machine/model.onnx";
  CHECK(rate_unit(record.workload) == "items/s");
  CHECK(throughput_unit(record) == "items/s");  // of a record that does not say
  record.software["input"] = "tokens";
  CHECK(throughput_unit(record) == "sequences/s");
  record.software["input"] = "images";
  CHECK(throughput_unit(record) == "img/s");
  record.workload.phase = Phase::decode;
  CHECK(throughput_unit(record) == "tokens/s");
  record.workload.phase = Phase::preprocess;
  CHECK(throughput_unit(record) == "img/s");
}

TEST_CASE("work words: built-in networks are known by name") {
  Record record;
  record.workload.network = "gpt2";
  CHECK(throughput_unit(record) == "sequences/s");
  record.workload.network = "resnet50";
  CHECK(throughput_unit(record) == "img/s");
}
