// A price table that names its CPUs, as its user meets it: what the answer goes by, and what is
// said of a name that no law knows.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;
using test::run_without_model;

namespace {

const std::string job =
    std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/founding/s16-cpu-or-gpu/job.toml";
constexpr const char* header =
    "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,Currency,Arch,Cpu,Book,AsOf\n";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One machine of 16 vCPUs, for each CPU.
std::string table_of(const TemporaryFolder& folder, const std::vector<std::string>& cpus) {
  auto path = folder / "prices.csv";
  std::ofstream file(path);
  file << header;
  for (const auto& cpu : cpus) {
    file << "gcp,n1-highcpu-16,16,14.4,us,0.635,USD,x86_64," << cpu << ",founding-2017,2017-07\n";
  }
  return path;
}

boost::json::value answer(const std::vector<std::string>& cpus) {
  const TemporaryFolder folder;
  const auto result =
      run_without_model({"advise", job, "--prices", table_of(folder, cpus), "-o", "json"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

double rate(const boost::json::value& option) {
  return option.at("throughput").at("value").to_number<double>();
}

}  // namespace

TEST_CASE("named cpu: the law goes by the CPU that the table names, by any word for it") {
  const auto unnamed = answer({""}).at("chosen");
  CHECK(unnamed.at("cpu").is_null());
  const auto skylake = answer({"Skylake"}).at("chosen");
  CHECK(skylake.at("cpu") == "Skylake");
  CHECK(skylake.at("gpu_rate_provenance").as_string().starts_with("CPU Skylake: 2.7 GHz"));
  CHECK(rate(skylake) > 1.3 * rate(unnamed));
  CHECK(rate(answer({"Skylake sse"}).at("chosen")) < rate(unnamed));
  // An EC2 type stands for its CPU: c4 is a Haswell.
  CHECK(answer({"c4.4xlarge"})
            .at("chosen")
            .at("gpu_rate_provenance")
            .as_string()
            .find("E5-2666 v3") != boost::json::string::npos);
}

TEST_CASE("named cpu: machines of one name with two CPUs are two options") {
  const auto options = answer({"Skylake", "Skylake sse"}).at("options").as_array();
  REQUIRE(options.size() == 2);
  CHECK(options[0].at("cpu") == "Skylake");
  CHECK(options[1].at("cpu") == "Skylake sse");
  CHECK(rate(options[0]) > 2 * rate(options[1]));
}

TEST_CASE("named cpu: a name that no law knows is warned of, and decides nothing") {
  const auto unknown = answer({"Skylark"});
  CHECK(rate(unknown.at("chosen")) == test::approx(rate(answer({""}).at("chosen"))));
  const auto warnings = boost::json::serialize(unknown.at("warnings"));
  CHECK(holds(warnings, R"(n1-highcpu-16: no law knows a CPU called \"Skylark\")"));
  CHECK_FALSE(holds(boost::json::serialize(answer({"Skylake"}).at("warnings")), "no law knows"));
}

TEST_CASE("named cpu: names that no law knows leave the odds as they are without") {
  const auto odds = [](const std::vector<std::string>& cpus) {
    const TemporaryFolder folder;
    const std::string path = folder / "prices.csv";
    std::ofstream file(path);
    file << header;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      file << "gcp,n1-highcpu-16" << std::string(i, 'x') << ",16,14.4,us,0.63" << i
           << ",USD,x86_64," << cpus[i] << ",founding-2017,2017-07\n";
    }
    file.close();
    const auto result = run_without_model({"advise", job, "--prices", path, "-o", "json"});
    REQUIRE(result.code == cli::exit_ok);
    std::vector<double> each;
    const auto document = boost::json::parse(result.out);
    for (const auto& option : document.at("options").as_array()) {
      each.push_back(option.at("p_cheapest").to_number<double>());
    }
    return each;
  };
  CHECK(odds({"Foobar0", "Foobar1", "Foobar2"}) == odds({"", "", ""}));
}

TEST_CASE("named cpu: predict says the same of a row whose CPU no law knows") {
  const TemporaryFolder folder;
  const auto path = folder / "rows.csv";
  std::ofstream(path) << "network,batch,gpu,vcpus,cpu,data,stack\n"
                         "cifar10-cnn,32,none,16,Skylark,synthetic,era\n"
                         "cifar10-cnn,32,none,16,Skylake,synthetic,era\n"
                         "cifar10-cnn,32,none,16,n1-standard-16,synthetic,era\n";
  const auto result = run_without_model({"predict", "--batch-file", path});
  REQUIRE(result.code == cli::exit_ok);
  const std::string said = "no law knows a CPU called \"\"Skylark\"\"";  // as CSV quotes it
  CHECK(holds(result.out, said));
  CHECK(result.out.find("no law knows") == result.out.rfind("no law knows"));
}

TEST_CASE("named cpu: prices check names it with its line and the nearest that is known") {
  const TemporaryFolder folder;
  const auto result =
      run({"prices", "check", table_of(folder, {"Skylake", "Skylaek", "EPYC 7742"}), "-o", "csv"});
  CHECK(result.code == cli::exit_check_failed);
  CHECK(holds(result.out, ",3,Cpu,"));
  CHECK(holds(result.out, "no law knows a CPU called \"\"Skylaek\"\""));
  CHECK(holds(result.out, "did you mean Skylake?"));
  CHECK_FALSE(holds(result.out, ",2,Cpu,"));
  CHECK_FALSE(holds(result.out, ",4,Cpu,"));
}

TEST_CASE("named cpu: an import keeps the names that a law knows and that say something new") {
  const TemporaryFolder folder;
  const auto path = folder / "instances.json";
  const auto type = [](const std::string& name, const std::string& cpu) {
    return "{\"instance_type\": \"" + name +
           "\", \"vCPU\": 8, \"memory\": 16, \"physical_processor\": \"" + cpu +
           "\", \"arch\": [\"x86_64\"], \"pricing\": {\"us-east-1\": {\"linux\": {\"ondemand\": "
           "\"0.4\"}}}}";
  };
  std::ofstream(path) << "[" << type("zz9.2xlarge", "Intel Xeon Platinum 8259 (Cascade Lake)")
                      << "," << type("zz8.2xlarge", "Variable") << ","
                      << type("c5.2xlarge", "Intel Xeon Platinum 8124M") << "]";
  const auto result = run({"prices", "import", path, "--as-of", "2026-11-02", "-o", "csv"});
  CAPTURE(result.out);
  REQUIRE(result.code == cli::exit_ok);
  CHECK(holds(result.out, "x86_64,Intel Xeon Platinum 8259 (Cascade Lake),"));
  CHECK_FALSE(holds(result.out, "Variable"));
  CHECK_FALSE(holds(result.out, "8124M"));  // c5's own model and CoreMark are known
}

TEST_CASE("named cpu: of a machine of one's own, which is typed, it must be one") {
  const auto own = [](const std::string& cpu) {
    return run_without_model(
        {"advise",
         job,
         "--on-prem",
         "price=9000USD,years=3,power=0.5kW,kwh=0.2,vcpus=16,memory=64GiB,cpu=" + cpu,
         "--book",
         "own",
         "-o",
         "json"});
  };
  const auto named = own("Skylake");
  REQUIRE(named.code == cli::exit_ok);
  CHECK(boost::json::parse(named.out).at("chosen").at("cpu") == "Skylake");
  const auto unknown = own("Skylark");
  CHECK(unknown.code == cli::exit_usage);
  CHECK(holds(unknown.err, "--on-prem cpu: no CPU or instance is called \"Skylark\""));
}

TEST_CASE("named cpu: half as fast takes twice as long, by the law of such a CPU too") {
  const TemporaryFolder folder;
  const auto hours = [&](const char* factor) {
    const auto result = run_without_model({"what-if",
                                           job,
                                           "n1-highcpu-16",
                                           fmt::format("cpu-speed={}", factor),
                                           "--prices",
                                           table_of(folder, {"Skylake"}),
                                           "-o",
                                           "json"});
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out).at("then").at("hours").at("value").to_number<double>();
  };
  CHECK(hours("0.5") / hours("1") == test::approx(2).epsilon(0.02));
  CHECK(hours("4") / hours("1") == test::approx(0.25).epsilon(0.02));
}
