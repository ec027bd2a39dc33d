// Files that are broken, incomplete, hostile, or leave open what must be known.
#include <filesystem>
#include <fstream>
#include <limits>

#include <doctest/doctest.h>
#include <unistd.h>

#include "kernels/engine.h"
#include "support/onnx_file.h"
#include "support/temporary_folder.h"

namespace {

using namespace rightsize;
using test::OnnxFile;

OnnxFile small_network() {
  OnnxFile file;
  file.input("x", {0, 3}).output("y");
  file.weights("w", {2, 3}, {1, 2, 3, 4, 5, 6}).weights("b", {2}, {7, 8});
  file.node("Gemm", {"x", "w", "b"}, {"y"}).with("transB", 1);
  return file;
}

// The message of the OnnxError that loading throws; empty: it throws none.
std::string complaint(const std::string& path) {
  try {
    static_cast<void>(load_onnx(path));
  } catch (const onnx::OnnxError& error) {
    return error.what();
  }
  return {};
}

std::string complaint(const OnnxFile& file) {
  const TemporaryFolder folder;
  return complaint(file.write(folder / "model.onnx"));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("onnx: a file that is no ONNX model is named, with what to do") {
  const TemporaryFolder folder;
  CHECK(contains(complaint(folder / "none.onnx"), "cannot be read"));
  const auto text = folder.write("text.onnx", "this is not protobuf at all");
  CHECK(contains(complaint(text), text));
  CHECK(contains(complaint(text), "not an ONNX file"));
  CHECK(contains(complaint(folder.write("empty.onnx", "")), "holds no graph"));
  CHECK(contains(complaint(folder / "none.onnx"), "there is no such file"));
  CHECK(contains(complaint(folder.path()), "cannot be read: it is a folder; name the .onnx file"));
  if (geteuid() != 0) {  // whom nothing is denied
    std::filesystem::permissions(text, std::filesystem::perms::none);
    CHECK(contains(complaint(text), "cannot be read: permission denied"));
  }
}

TEST_CASE("onnx: no prefix of a file loads as a whole one") {
  const TemporaryFolder folder;
  small_network().write(folder / "whole.onnx");
  const auto whole = folder.read("whole.onnx");
  CHECK(load_onnx(folder / "whole.onnx").network);
  for (std::size_t size = 1; size + 4 < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(complaint(folder.write("cut.onnx", whole.substr(0, size))).empty());
  }
}

TEST_CASE("onnx: a value that nobody makes is named with its reader") {
  auto file = small_network();
  file.graph().mutable_initializer()->DeleteSubrange(0, 1);
  const auto message = complaint(file);
  CHECK(contains(message, "Gemm \"y\""));
  CHECK(contains(message, "\"w\""));
}

TEST_CASE("onnx: the batch may be open, height and width may not") {
  OnnxFile file;
  file.input("image", {0, 3, 0, 8}).output("y").node("Relu", {"image"}, {"y"});
  const auto message = complaint(file);
  CHECK(contains(message, "dimension 2 (\"N\")"));
  CHECK(contains(message, "dynamic_axes"));
  OnnxFile batch;
  batch.input("image", {0, 3, 4, 8}).output("y").node("Relu", {"image"}, {"y"});
  CHECK(complaint(batch).empty());
}

TEST_CASE("onnx: sizes that a tensor claims are checked before memory is taken") {
  auto file = small_network();
  auto& tensor = *file.graph().mutable_initializer(0);
  tensor.set_dims(0, std::int64_t{1} << 40);
  tensor.set_dims(1, std::int64_t{1} << 40);
  CHECK(contains(complaint(file), "claims the shape"));
  tensor.set_dims(0, -2);
  CHECK(contains(complaint(file), "claims the shape"));
  tensor.set_dims(0, 1 << 20);
  tensor.set_dims(1, 3);
  CHECK(contains(complaint(file), "holds 6 values"));

  OnnxFile shape;
  shape.input("x", {1, 3}).output("y");
  shape.integers("size", {2}, {std::int64_t{1} << 30, std::int64_t{1} << 30});
  shape.node("ConstantOfShape", {"size"}, {"w"}).node("MatMul", {"x", "w"}, {"y"});
  const TemporaryFolder folder;
  const auto model = load_onnx(shape.write(folder / "shape.onnx"));
  CHECK_FALSE(model.network);
  CHECK(model.report.unsupported[0].op == "ConstantOfShape");
}

TEST_CASE("onnx: what moves a cursor or turns a line in a file's names comes to no terminal") {
  OnnxFile file;
  file.model().set_producer_name("Evil\x1b[2J");
  file.model().set_producer_version("1\xc2\x9b\xe2\x80\xae\x7f \xc3\xa9");
  file.input("x", {1, 3}).output("y");
  file.node("Relu", {"x"}, {"h\x1b]0;pwn\a"}).node("Odd\r", {"h\x1b]0;pwn\a"}, {"y"});
  const auto report = test::loaded(file).report;
  CHECK(report.producer == "Evil?[2J 1??? \xc3\xa9");
  REQUIRE(report.unsupported.size() == 1);
  CHECK(report.unsupported[0].op == "Odd?");
  CHECK(report.operators.at("Relu") == 1);  // its output is found by its name all the same
}

TEST_CASE("onnx: opsets before 6 are refused with the way out") {
  OnnxFile file(5);
  file.input("x", {1, 3}).output("y").node("Relu", {"x"}, {"y"});
  CHECK(contains(complaint(file), "version_converter"));
}

TEST_CASE("onnx: external data is read from beside the model and nowhere else") {
  const TemporaryFolder folder;
  auto file = small_network();
  auto& tensor = *file.graph().mutable_initializer(0);
  const std::vector<float> values{6, 5, 4, 3, 2, 1};
  std::string bytes(8, '\0');
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  folder.write("weights.bin", bytes);
  tensor.clear_float_data();
  tensor.set_data_location(1);
  auto& location = *tensor.add_external_data();
  location.set_key("location");
  location.set_value("weights.bin");
  auto& offset = *tensor.add_external_data();
  offset.set_key("offset");
  offset.set_value("8");
  const auto path = file.write(folder / "model.onnx");
  CHECK(load_onnx(path).parameters.at(0).values == values);

  offset.set_value("12");
  CHECK(contains(complaint(file.write(path)), "has only 32"));
  offset.set_value("-1");
  CHECK(contains(complaint(file.write(path)), "is no number"));
  offset.set_value("0");
  location.set_value("none.bin");
  CHECK(contains(complaint(file.write(path)), "none.bin"));
  for (const auto* outside : {"../weights.bin", "/etc/passwd", "a/../../weights.bin", ""}) {
    location.set_value(outside);
    CHECK(contains(complaint(file.write(path)), "not below the model's own folder"));
  }
}

TEST_CASE("onnx: a network by path is made, or its reason given") {
  const TemporaryFolder folder;
  const auto path = small_network().write(folder / "mine.onnx");
  const auto network = make_network(path);
  CHECK(network.name == "mine");
  CHECK(network.classes == 2);
  CHECK(make_trained_network(path).parameters.size() == 2);
  CHECK_THROWS_AS(static_cast<void>(make_network(path, 8)), EngineError);
  CHECK_THROWS_AS(static_cast<void>(make_network(folder / "none.onnx")), EngineError);
  OnnxFile resize;
  resize.input("x", {1, 3, 4, 4}).output("y").node("Selu", {"x"}, {"y"});
  try {
    static_cast<void>(make_network(resize.write(folder / "selu.onnx")));
    FAIL("an operator without a layer was accepted");
  } catch (const EngineError& error) {
    CHECK(contains(error.what(), "1 x Selu"));
    CHECK(contains(error.what(), "networks --onnx"));
  }
}

TEST_CASE("onnx: sizes beyond any machine are refused, not computed with") {
  constexpr auto huge = std::numeric_limits<std::int64_t>::max();
  const TemporaryFolder folder;
  const auto refused = [&](OnnxFile& file) {
    const auto model = load_onnx(file.write(folder / "model.onnx"));
    CHECK_FALSE(model.network);
    CHECK(model.report.unsupported.size() == 1);
  };
  OnnxFile pool;
  pool.input("x", {1, 4, 4, 4}).output("y");
  pool.node("MaxPool", {"x"}, {"y"}).with_list("kernel_shape", {huge, huge});
  refused(pool);
  OnnxFile pad;
  pad.input("x", {1, 4, 4, 4}).output("y");
  pad.integers("pads", {8}, {0, 0, huge, huge, 0, 0, huge, huge});
  pad.node("Pad", {"x", "pads"}, {"y"});
  refused(pad);
  OnnxFile input;
  input.input("x", {1, huge, huge, 2}).output("y").node("Relu", {"x"}, {"y"});
  CHECK(contains(complaint(input), "claims the shape"));
}

TEST_CASE("onnx: positions are picked where the sequence has them, and nowhere else") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const TemporaryFolder folder;
  const auto picked = [&](const onnx::Dims& dims, const onnx::Dims& positions) {
    OnnxFile file;
    file.input("ids", {1, 3}, 7).output("y");
    file.weights("table", {5, 2}, std::vector<float>(10, 1)).weights("w", {2, 2}, {1, 2, 3, 4});
    file.integers("at", dims, positions).integers("flat", {2}, {1, 2});
    file.node("Gather", {"table", "ids"}, {"x"});
    file.node("Gather", {"x", "at"}, {"one"}).with("axis", 1);
    file.node("Reshape", {"one", "flat"}, {"row"}).node("MatMul", {"row", "w"}, {"y"});
    return load_onnx(file.write(folder / "model.onnx"));
  };
  const auto position = [](const OnnxModel& model) {
    REQUIRE_MESSAGE(model.network, model.report.reason());
    for (const auto& layer : model.network->layers) {
      if (layer.kind == LayerKind::take_position) {
        return layer.position;
      }
    }
    return std::int64_t{-1};
  };
  CHECK(position(picked({}, {0})) == 0);
  CHECK(position(picked({}, {2})) == 2);
  CHECK(position(picked({}, {-1})) == 2);
  CHECK(position(picked({1}, {-3})) == 0);
  for (const auto beyond : {least, std::int64_t{-4}, std::int64_t{3}, most - 1, most}) {
    CAPTURE(beyond);
    for (const auto& model : {picked({}, {beyond}), picked({1}, {beyond})}) {
      CHECK_FALSE(model.network);
      CHECK(contains(model.report.reason(), "neighbours can be picked"));
    }
  }
  CHECK_FALSE(picked({2}, {most, least}).network);
  CHECK_FALSE(picked({2}, {2, 3}).network);
}
