// predict --batch-file as its user meets it, without a fitted model anywhere.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "models/model.h"
#include "pricing/import/csv.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

const std::string root = RIGHTSIZE_SOURCE_DIR;

}  // namespace

TEST_CASE("predict: a batch at the edge of memory is ok, and its row says so") {
  const TemporaryFolder folder;
  std::ofstream rows(folder / "rows.csv");
  rows << "network,gpu,batch\n";
  for (int batch = 80; batch <= 140; ++batch) {
    rows << "resnet50,K80," << batch << "\n";
  }
  rows.close();
  const auto table = parse_csv(run({"predict", "--batch-file", folder / "rows.csv"}).out, "out");
  int tight = 0;
  for (const auto& row : table.rows) {
    const auto cell = [&](const char* column) {
      return row.fields.at(static_cast<std::size_t>(table.column(column)));
    };
    const bool cautious = cell("reason").find("within 10 %") == 0;
    tight += cautious ? 1 : 0;
    CHECK((!cautious || cell("status") == "ok"));
  }
  CHECK(tight > 0);
}

TEST_CASE("predict: rows of CPUs say what they were computed in where that is another") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,vcpus,precision\n"
                                        "alexnet,8,fp32\nalexnet,8,fp16\nalexnet,8,tf32\n";
  const auto table = parse_csv(run({"predict", "--batch-file", folder / "rows.csv"}).out, "out");
  const auto reason = [&](std::size_t row) {
    return table.rows.at(row).fields.at(static_cast<std::size_t>(table.column("reason")));
  };
  CHECK(reason(0).empty());
  CHECK(reason(1) == "no CPU was named that has units for fp16: it computes in fp32");
  CHECK(reason(2) == "no CPU has tf32: it computes in fp32");
}

TEST_CASE("predict: a file of rows comes back whole, each with a status") {
  const auto result = run({"predict", "--batch-file", root + "/examples/predict/rows.csv"});
  REQUIRE(result.code == cli::exit_ok);
  const auto table = parse_csv(result.out, "out");
  REQUIRE(table.rows.size() == 6);
  CHECK(table.header.front() == "id");
  const int status = table.column("status");
  const int value = table.column("throughput");
  REQUIRE(status >= 0);
  for (const auto& row : table.rows) {
    const auto cell = [&](int column) { return row.fields[static_cast<std::size_t>(column)]; };
    CHECK((cell(status) == "ok") == !cell(value).empty());
    CHECK((cell(status) == "ok") == cell(table.column("reason")).empty());
  }
  CHECK(table.rows[0].fields[static_cast<std::size_t>(status)] == "ok");
}

TEST_CASE("predict: what most of a step waits for is the bottleneck") {
  const auto limited_by = [](const char* net) {
    const auto machine = std::string("gpu=V100:8,link=nvlink,nodes=2,net=") + net;
    const auto answer = test::run_without_model({"predict",
                                                 "--network",
                                                 "vgg16",
                                                 "--precision",
                                                 "fp16",
                                                 "--batch",
                                                 "64",
                                                 "--data",
                                                 "synthetic",
                                                 "--machine",
                                                 machine,
                                                 "-o",
                                                 "json"});
    return std::string(boost::json::parse(answer.out).at("bottleneck").as_string());
  };
  CHECK(limited_by("eth:1") == "exchange");
  CHECK(limited_by("ib:100") == "gpu");
}

TEST_CASE("predict: a row says which network it was taken for, none where it was not") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batch\n"
                                        "ResNet-50 v1.5,V100,64\n"
                                        "Inception-v2,V100,64\n"
                                        "MobileNet-v1,V100,64\n";
  const auto table = parse_csv(run({"predict", "--batch-file", folder / "rows.csv"}).out, "out");
  const auto cell = [&](std::size_t row, const char* column) {
    return table.rows.at(row).fields.at(static_cast<std::size_t>(table.column(column)));
  };
  REQUIRE(table.column("network_used") > 0);
  CHECK(cell(0, "network_used") == "resnet50");
  CHECK(cell(1, "network_used") == "inception-bn");
  CHECK(cell(2, "network_used") == "");
  CHECK(cell(2, "reason").find("mobilenet-v2") != std::string::npos);
  CHECK(run({"predict", "--help"}).out.find("network_used") != std::string::npos);
}

TEST_CASE("predict: our columns step aside where the file has ones of their names") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batch,throughput,unit\n"
                                        "resnet50,V100,64,355,images/s\n";
  const auto table = parse_csv(run({"predict", "--batch-file", folder / "rows.csv"}).out, "out");
  CHECK(table.column("throughput") == 3);
  CHECK(table.rows.at(0).fields.at(3) == "355");
  CHECK(table.column("predicted_throughput") > 4);
  CHECK(table.column("low") > 4);
}

TEST_CASE("predict: a row of data that no run read goes by the shipped model") {
  const TemporaryFolder folder;
  auto model = test::made_model();
  model.parameters[2].name = "cpu_s_per_item/another";  // recordio was not measured
  std::ofstream(folder / "model.json") << boost::json::serialize(to_json(model));
  std::ofstream(folder / "rows.csv") << "network,gpu,vcpus,data\n"
                                        "resnet50,V100,8,recordio\n"
                                        "resnet50,V100,,synthetic\n";
  const auto result =
      run({"predict", "--batch-file", folder / "rows.csv", "--model", folder / "model.json"});
  REQUIRE(result.code == cli::exit_ok);
  const auto table = parse_csv(result.out, "out");
  REQUIRE(table.rows.size() == 2);
  for (const auto& row : table.rows) {
    CHECK(row.fields[static_cast<std::size_t>(table.column("status"))] == "ok");
  }
  const auto one = run({"predict",
                        "--network",
                        "resnet50",
                        "--data",
                        "recordio",
                        "--machine",
                        "gpu=V100,vcpus=8",
                        "--model",
                        folder / "model.json"});
  CHECK(one.out.find("no run here read recordio: its vCPU time an item is the shipped model's") !=
        std::string::npos);
}

TEST_CASE("predict: a mistyped instance spoils its row, a CPU nobody measured does not") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batch,vcpus,cpu\n"
                                        "resnet50,V100,64,8,p3.16xlarg\n"
                                        "resnet50,V100,64,8,p3.16xlarge\n"
                                        "resnet50,V100,64,8,Xeon E7-9999\n"
                                        "resnet50,V100,64,0,p3.16xlarge\n";
  const auto result = run({"predict", "--batch-file", folder / "rows.csv"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.err.find("2 of 4 rows could not be predicted") != std::string::npos);
  const auto table = parse_csv(result.out, "out");
  const auto cell = [&](std::size_t row, const char* column) {
    return table.rows.at(row).fields.at(static_cast<std::size_t>(table.column(column)));
  };
  CHECK(cell(0, "status") == "invalid");
  CHECK(cell(0, "reason").find("rows.csv:2: cpu = \"p3.16xlarg\"") != std::string::npos);
  CHECK(cell(0, "reason").find("did you mean p3.16xlarge?") != std::string::npos);
  CHECK(cell(1, "status") == "ok");
  CHECK(cell(2, "status") == "ok");
  CHECK(cell(3, "reason").find("expected vCPUs of one node, above 0") != std::string::npos);
  std::ofstream(folder / "none.csv") << "network,gpu,batch\nresnet50,V1000,64\n";
  const auto none = run({"predict", "--batch-file", folder / "none.csv"});
  CHECK(none.code == cli::exit_failed);
  CHECK(none.err.find("1 of 1 rows could not be predicted") != std::string::npos);
}

TEST_CASE("predict: a mistyped column is said to be unread, in its rows and beside them") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batchsiez\nresnet50,V100,64\n";
  const auto result = run({"predict", "--batch-file", folder / "rows.csv"});
  REQUIRE(result.code == cli::exit_ok);
  CHECK(result.err.find("column \"batchsiez\" is not read, did you mean \"batch_size\"?") !=
        std::string::npos);
  const auto table = parse_csv(result.out, "out");
  const auto reason = static_cast<std::size_t>(table.column("reason"));
  CHECK(table.rows.at(0).fields.at(reason).find("column \"batchsiez\" is not read") == 0);
  CHECK(table.rows.at(0).fields.at(static_cast<std::size_t>(table.column("status"))) == "ok");
}
