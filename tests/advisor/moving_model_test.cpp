// What a transformer's weights and state cost a job on their way from and to its disk, as its user
// meets it in every command.
#include <cmath>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/judge/interruption.h"
#include "models/job_time.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::Result;

namespace {

namespace json = boost::json;

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/train.toml";

Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

double hours(const json::value& of, const char* which = "value") {
  return of.at("hours").at(which).to_number<double>();
}

// What predict says of the job on eight H100.
Result predict_with(const std::string& disk) {
  return run({"predict", job, "--machine", "gpu=H100:8,link=nvlink" + disk, "-o", "json"});
}

}  // namespace

TEST_CASE("moving the model: the way from and to the disk is part of the job's time") {
  const auto advised = run({"advise", job, "--infra", "aws", "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto chosen = json::parse(advised.out).at("chosen");
  const std::string disk(chosen.at("disk").as_string());
  CHECK(disk.find("sc1") == std::string::npos);  // at 10 MB/s it would take three hours
  // 8.03e9 parameters of 2 bytes are read; they and two moments of 4 bytes each are written.
  const auto predict_on = [](const std::string& with_disk) {
    const auto result =
        run({"predict", job, "--machine", "gpu=H100:8,link=nvlink" + with_disk, "-o", "json"});
    return json::parse(result.out).at("job");
  };
  const auto in_memory = predict_on("");
  const auto slow = predict_on(",disk=20MB/s");
  CHECK(in_memory.at("moving_s").to_number<double>() < 1);
  CHECK(slow.at("moving_s").to_number<double>() == test::approx(14 * 8.03e9 / 20e6).epsilon(0.01));
  CHECK(hours(slow) - hours(in_memory) ==
        test::approx(slow.at("moving_s").to_number<double>() / 3600).epsilon(0.01));
}

TEST_CASE("moving the model: size bills the time that its disk takes for it") {
  const auto sized = run({"size", job, "--gpu", "H100:8", "--infra", "aws", "-o", "json"});
  REQUIRE(sized.code == cli::exit_ok);
  const auto machine = json::parse(sized.out).at("price").at("standard");
  const std::string disk(machine.at("disk").as_string());
  CAPTURE(disk);
  const auto predicted = predict_with(",cpu=p5.48xlarge,disk=" + disk);
  REQUIRE(predicted.code == cli::exit_ok);
  CHECK(hours(machine) == test::approx(hours(json::parse(predicted.out).at("job"))).epsilon(0.01));
  CHECK(disk.find("sc1") == std::string::npos);
}

TEST_CASE("moving the model: the disk must hold it, and is as large where no size is stated") {
  const auto small = predict_with(",disk=gp3:50GiB");
  CHECK(small.code != cli::exit_ok);
  CAPTURE(small.out);
  CHECK(small.out.find("holds 54 GB of the 113 GB of data and the model's files") !=
        std::string::npos);
  const auto decoding = [](const std::string& disk) {
    return run({"predict",
                "--network",
                "llama-8b",
                "--phase",
                "decode",
                "--machine",
                "gpu=L40S,vcpus=4,disk=" + disk});
  };
  CHECK(decoding("gp3:10GiB").out.find("holds 11 GB of the 16 GB of the model's files") !=
        std::string::npos);
  CHECK(decoding("gp3:20GiB").code == cli::exit_ok);  // no pictures lie there
  const auto unsized = predict_with(",disk=sc1");
  REQUIRE(unsized.code == cli::exit_ok);
  // sc1 gives 12 MB/s a TiB and has 125 GiB at least.
  CHECK(unsized.out.find("sc1 125 GiB") != std::string::npos);
}

TEST_CASE("moving the model: a GPU's error does not move it") {
  const auto predicted = predict_with(",disk=20MB/s");
  const auto slow = json::parse(predicted.out).at("job");
  const double moving_h = slow.at("moving_s").to_number<double>() / 3600;
  CHECK(hours(slow, "low") > moving_h);
  const double computing_h = hours(slow) - moving_h;
  const auto quick = json::parse(predict_with("").out).at("job");
  CHECK(hours(slow, "high") - hours(slow) ==
        test::approx((hours(quick, "high") / hours(quick) - 1) * computing_h).epsilon(0.01));

  Prediction rate;
  rate.items_per_s = 2;
  rate.cold_items_per_s = 2;
  rate.log_sd = 0.3;
  const JobLength length{200, 1, 300, 0.05};  // computed in 100 s
  CHECK(job_seconds(rate, length) == test::approx(400));
  CHECK(moving_share(rate, length) == test::approx(0.75));
  CHECK(job_log_sd(rate, length) == test::approx(std::hypot(0.25 * 0.3, 0.75 * 0.05)));
  rate.disk_sd = 0.3;  // of the same disk
  CHECK(job_log_sd(rate, length) == test::approx(0.25 * 0.3 + 0.75 * 0.05));
}

TEST_CASE("moving the model: a new start reads back what a checkpoint wrote") {
  Interruptions asked;
  const auto whole = spot_files(100e9, 0, 1);
  const auto terms = spot_terms(asked, {}, whole, 1e9);
  CHECK(terms.checkpoint_s == test::approx(100));
  CHECK(terms.restart_s == test::approx(asked.restart_s + 100));
  // Each of four machines its part, and the weights that adapters leave as they are.
  const auto part = spot_terms(asked, {}, spot_files(1e9, 16e9, 4), 1e9);
  CHECK(part.checkpoint_s == test::approx(1));  // a file is opened, written and synced
  CHECK(part.restart_s == test::approx(asked.restart_s + 16.25));
  asked.restart_stated = true;
  CHECK(spot_terms(asked, {}, whole, 1e9).restart_s == test::approx(asked.restart_s));
  const auto unknown = spot_terms({}, {}, whole, 0);
  CHECK(unknown.checkpoint_s == test::approx(500));
}

TEST_CASE("moving the model: a spot machine that is not taken writes the state once") {
  const auto chosen = [](const char* market) {
    const auto advised = run({"advise",
                              job,
                              "--infra",
                              "aws",
                              "--allow",
                              "^p5.48xlarge$",
                              "--market",
                              market,
                              "-o",
                              "json"});
    REQUIRE(advised.code == cli::exit_ok);
    return json::parse(advised.out).at("chosen");
  };
  const auto steady = chosen("on-demand");
  const auto spot = chosen("spot");
  REQUIRE(spot.at("disk") == steady.at("disk"));
  CHECK(spot.at("spot").at("hours_undisturbed").to_number<double>() ==
        test::approx(hours(steady)).epsilon(1e-3));
}

TEST_CASE("moving the model: explain and the assumptions say how it is counted") {
  const auto explained = run({"explain", job, "--infra", "aws"}).out;
  CAPTURE(explained);
  CHECK(explained.find("moving the model") != std::string::npos);
  CHECK(explained.find("(weights + state) / disk") != std::string::npos);
  const auto advised = run({"advise", job, "--infra", "aws", "-o", "json"}).out;
  CHECK(
      advised.find("a checkpoint is the parameters and the optimizer, at the speed of the disk") !=
      std::string::npos);
  CHECK(advised.find("beside it a transformer's weights and state") != std::string::npos);
  CHECK(advised.find("checkpoints under way of machines that stay") != std::string::npos);
}
