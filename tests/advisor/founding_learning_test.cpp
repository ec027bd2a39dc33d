// S23, for real: a run learns, and its record and its progress say so.
#include <array>
#include <cstdio>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  return output;
}

}  // namespace

TEST_CASE("founding S23: the loss of a CIFAR-10 network falls while it is measured") {
  const TemporaryFolder folder;
  REQUIRE(
      test::run({"dataset", "make", folder / "cifar", "--kind", "cifar", "--items", "512"}).code ==
      0);
  const auto db = folder / "records.db";
  const auto shown = output_of(
      fmt::format("{} profile --network cifar10-convnet --batch 64 --data cifar --data-path {} "
                  "--seconds 8 --db {} --progress jsonl",
                  RIGHTSIZE_BINARY,
                  folder / "cifar",
                  db));
  CAPTURE(shown);
  const auto listed = test::run({"records", "list", "--db", db, "-o", "jsonl"});
  CAPTURE(listed.err);
  REQUIRE(listed.code == 0);
  const auto record = boost::json::parse(listed.out.substr(0, listed.out.find('\n')));
  const double first = record.at("first_loss").to_number<double>();
  const double last = record.at("last_loss").to_number<double>();
  CHECK(first > 1.5);  // ln 10 = 2.3: nothing is known of ten classes yet
  CHECK(last < 0.8 * first);
  CHECK(shown.find("\"event\":\"window\"") != std::string::npos);
  CHECK(shown.find("\"loss\":") != std::string::npos);
}
