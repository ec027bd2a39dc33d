// Files another exporter made, with the outputs its own framework computed (tests/data/onnx).
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/onnx_file.h"

namespace {

using namespace rightsize;

const std::string data = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/";

void check_outputs(const std::string& name) {
  CAPTURE(name);
  const auto model = load_onnx(data + name + "/model.onnx");
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const auto input = test::read_tensor_file(data + name + "/input_0.pb");
  const auto expected = test::read_tensor_file(data + name + "/output_0.pb");
  CHECK(test::relative_error(test::infer(model, input.floats), expected.floats) < 1e-5);
}

}  // namespace

TEST_CASE("onnx: PyTorch's own outputs come out of the CPU engine") {
  check_outputs("Conv2d_depthwise_with_multiplier");
  check_outputs("BatchNorm2d_momentum_eval");
  check_outputs("Linear");
}

TEST_CASE("onnx: an operator without a layer is named with its share of the FLOPs") {
  const auto model = load_onnx(data + "ConvTranspose2d/model.onnx");
  CHECK_FALSE(model.network);
  CHECK(model.parameters.empty());
  REQUIRE(model.report.unsupported.size() == 1);
  const auto& row = model.report.unsupported[0];
  CHECK(row.op == "ConvTranspose");
  CHECK(row.count == 1);
  // One item of 3x7x6 into 4 channels by a 3x3 window: 2 x 3 x 7 x 6 x 4 x 9.
  CHECK(row.flops == test::approx(2.0 * 3 * 7 * 6 * 4 * 9));
  CHECK(model.report.share(row) == test::approx(1));
  CHECK(model.report.reason().find("100.0 % of the FLOPs") != std::string::npos);
}
