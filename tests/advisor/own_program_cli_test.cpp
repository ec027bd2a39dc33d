// A program of the user's that was profiled: as a whole job, and as what loads for a GPU.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/job_desk.h"
#include "support/program.h"
#include "support/program_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace json = boost::json;

namespace {

class Desk : public test::JobDesk {
 public:
  explicit Desk(const std::string& job, const Model& model = test::program_model())
      : JobDesk(job, model) {}
};

// A million items of `program`, with more lines.
std::string whole_job(const std::string& program, const std::string& data = "") {
  return "[job]\nnetwork = \"program:" + program + "\"\n[data]\nitems = 1000000\n" + data;
}

std::string pictures_job(const std::string& loader) {
  return "[job]\nnetwork = \"resnet50\"\nprecision = \"fp16\"\nbatch_per_gpu = 128\nepochs = 2\n"
         "[data]\nitems = 1281167\nformat = \"recordio\"\nbytes = \"140GB\"\n" +
         loader;
}

double rate_of(const json::value& answer) {
  return answer.at("throughput").at("value").to_number<double>();
}

// Of the CPU that the runs were on.
const std::string here = ",cpu=AMD EPYC (family 25 model 17)";
const std::vector<std::string> eight{"predict", "--machine", "vcpus=8,memory=16GiB" + here};

}  // namespace

TEST_CASE("own program: it is asked for on machines that nobody measured") {
  const Desk desk(whole_job("train.py"));
  const auto answer = desk.told(eight);
  CHECK(rate_of(answer) == test::approx(8 / 0.08).epsilon(0.02));
  CHECK(answer.at("throughput").at("unit") == "items/s");
  CHECK(answer.at("job").at("hours").at("value").to_number<double>() ==
        test::approx(1e6 / 100 / 3600).epsilon(0.02));
  // A faster CPU is told from the one that measured it.
  const auto slower = desk.told({"predict", "--machine", "vcpus=8,memory=16GiB,cpu=Skylake"});
  CHECK(rate_of(slower) < 0.9 * rate_of(answer));
}

TEST_CASE("own program: fewer items than its steps took are those items, and no update") {
  const Desk desk("[job]\nnetwork = \"program:train.py\"\n[data]\nitems = 2\n");
  const auto answer = desk.told({"advise", "--infra", "aws"});
  const auto& chosen = answer.at("chosen");
  CHECK(chosen.at("hours").at("value").to_number<double>() * 3600 * rate_of(chosen) ==
        test::approx(2).epsilon(1e-3));
  CHECK(json::serialize(answer.at("warnings")).find("an update takes") == std::string::npos);
}

TEST_CASE("own program: what uses one vCPU is no faster with more") {
  const Desk desk(whole_job("serial.py"));
  CHECK(rate_of(desk.told(eight)) == test::approx(1 / 0.08).epsilon(0.02));
}

TEST_CASE("own program: the disk gives what the job says of its data") {
  const Desk desk(whole_job("train.py", "format = \"recordio\"\nbytes = \"100GB\"\n"));
  const auto answer = desk.told({"predict", "--machine", "vcpus=8,memory=16GiB,disk=5MB/s"});
  CHECK(answer.at("bottleneck") == "disk");
  CHECK(rate_of(answer) == test::approx(5e6 / 1e5).epsilon(0.1));
}

TEST_CASE("own program: nobody knows its threads, so that none of ours bounds its reading") {
  const Desk desk(whole_job("serial.py", "format = \"recordio\"\nbytes = \"100GB\"\n"));
  const auto on = [&](const std::string& vcpus) {
    return desk.told({"predict", "--machine", "vcpus=" + vcpus + ",memory=4GiB,disk=1GB/s" + here});
  };
  CHECK(rate_of(on("1")) == test::approx(1 / 0.08).epsilon(0.02));
  CHECK(rate_of(on("16")) == test::approx(rate_of(on("1"))).epsilon(0.01));
  CHECK(on("1").at("bottleneck") == "cpu");
}

TEST_CASE("own program: of more vCPUs than it was seen with the interval holds no gain at all") {
  auto model = test::program_model();
  model.programs.at("train.py").seen = 2;
  const Desk desk(whole_job("train.py", "format = \"recordio\"\nbytes = \"100GB\"\n"), model);
  const auto wide = desk.told({"predict", "--machine", "vcpus=16,memory=4GiB,disk=1GB/s" + here})
                        .at("throughput");
  CHECK(wide.at("low").to_number<double>() < 2 / 0.08);
  CHECK(wide.at("high").to_number<double>() > 16 / 0.08);
}

TEST_CASE("own program: no engine runs it, and what-if changes none of its steps") {
  const auto run_it = run({"profile", "program:train.py", "--seconds", "1", "--dry-run"});
  CHECK(run_it.code == cli::exit_usage);
  CHECK(run_it.err.find("is measured by its command") != std::string::npos);
  const Desk desk(whole_job("train.py"));
  CHECK(desk.refused({"what-if", "c7a.medium", "batch=40", "--infra", "aws"})
            .find("does what it was profiled with") != std::string::npos);
}

TEST_CASE("own program: advise finds the cheapest machine without a GPU that holds it") {
  const Desk desk(whole_job("train.py"));
  const auto answer = desk.told({"advise", "--infra", "aws"});
  const auto& chosen = answer.at("chosen");
  CHECK(chosen.at("gpu").is_null());
  CHECK(answer.at("query").at("network") == "program:train.py");
  const auto instance = std::string(chosen.at("instance").as_string());
  const auto there = desk.told({"predict", "--machine", "aws/" + instance});
  CHECK(rate_of(there) == test::approx(rate_of(chosen)).epsilon(0.01));
  auto text = desk.ask({"advise", "--infra", "aws"}).out;
  for (auto at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at)) {
    text.replace(at, 3, " ");  // lines are wrapped
  }
  CHECK(text.find("train.py over 1,000,000 items, 1 epoch") != std::string::npos);
  CHECK(text.find("leaves a GPU nothing to do") != std::string::npos);
  CHECK(text.find("items/s") != std::string::npos);
}

TEST_CASE("own program: machines with less memory than it held are left out") {
  auto large = test::program_model();
  large.programs.at("train.py").resident_bytes = 100.0 * (1ULL << 30);
  const Desk desk(whole_job("train.py"), large);
  const auto refused = desk.ask(eight);
  CHECK(refused.code == cli::exit_nothing_satisfies);
  CHECK(refused.out.find("host memory too small") != std::string::npos);
  const auto chosen = desk.told({"advise", "--infra", "aws"}).at("chosen");
  CHECK(chosen.at("memory_gib").to_number<double>() >= 100);
}

TEST_CASE("own program: what none can be asked is refused where it is said") {
  const std::string job = whole_job("train.py");
  const auto with = [&](const std::string& line) {
    return Desk("[job]\nnetwork = \"program:train.py\"\n" + line + "[data]\nitems = 10\n")
        .refused({"advise"});
  };
  CHECK(with("batch_per_gpu = 8\n").find("job.toml:3") != std::string::npos);
  CHECK(Desk(job).refused({"advise", "--batch", "8"}).find("has the steps it was profiled with") !=
        std::string::npos);
  const auto other = Desk(job).ask({"predict", "--machine", "vcpus=8", "--batch", "8"});
  CHECK(other.code == cli::exit_nothing_satisfies);
  CHECK(other.out.find("has the steps it was profiled with, of 4") != std::string::npos);
  CHECK(with("framework = \"pytorch\"\n").find("expected no framework") != std::string::npos);
  CHECK(with("phase = \"preprocess\"\n").find("expected no phase") != std::string::npos);
  CHECK(Desk(whole_job("trian.py")).refused({"advise"}).find("did you mean train.py?") !=
        std::string::npos);
  CHECK(Desk(whole_job("other"))
            .refused({"advise"})
            .find("the model was fitted to load.py, serial.py, train.py") != std::string::npos);
  const std::string read = "format = \"recordio\"\nbytes = \"1GB\"\n";
  CHECK(Desk(whole_job("train.py", read + "loader = \"load.py\"\n"))
            .refused({"advise"})
            .find("loads its items itself") != std::string::npos);
  CHECK(Desk(whole_job("train.py", read))
            .refused({"advise", "--loader", "load.py"})
            .find("loads its items itself") != std::string::npos);
  CHECK(Desk(whole_job("train.py"))
            .refused({"size", "--gpu", "A100"})
            .find("advise finds the cheapest machine") != std::string::npos);
  const auto served = Desk(
                          "[job]\nnetwork = \"program:train.py\"\nphase = \"infer\"\n"
                          "[service]\nqps = 10\np99 = \"1s\"\n")
                          .refused({"advise"});
  CHECK(served.find("expected no [service]") != std::string::npos);
}

TEST_CASE("own program: the bare name is enough where a machine is asked about") {
  const Desk desk(whole_job("train.py"));
  const TemporaryFolder folder;
  const auto said = run({"predict",
                         "--network",
                         "train.py",
                         "--machine",
                         "vcpus=8,memory=16GiB" + here,
                         "--model",
                         test::write_model(folder, test::program_model()),
                         "-o",
                         "json"});
  REQUIRE_MESSAGE(said.code == cli::exit_ok, said.err);
  CHECK(rate_of(json::parse(said.out)) == test::approx(100).epsilon(0.02));
}

TEST_CASE("own loader: its CPU seconds feed the GPU in place of the measured loader's") {
  const std::string machine = "gpu=A100:1,vcpus=4,memory=200GiB" + here;
  const auto with = [&](const std::string& line, const std::string& on) {
    return Desk(pictures_job(line)).told({"predict", "--machine", on});
  };
  const auto slow = with("loader = \"load.py\"\n", machine);
  // One process of 2 vCPUs at the most.
  CHECK(rate_of(slow) == test::approx(2 / 0.004).epsilon(0.03));
  CHECK(slow.at("bottleneck") == "cpu");
  const auto wider = with("loader = \"load.py\"\n", "gpu=A100:1,vcpus=64,memory=200GiB" + here);
  CHECK(rate_of(wider) == test::approx(rate_of(slow)).epsilon(0.01));
  const auto four = with("loader = \"load.py\"\n", "gpu=A100:4,vcpus=64,memory=200GiB" + here);
  CHECK(rate_of(four) == test::approx(8 / 0.004).epsilon(0.03));
  CHECK(rate_of(with("", machine)) > 1.5 * rate_of(slow));
  const auto notes = json::serialize(slow.at("notes"));
  CHECK(notes.find("items are loaded by load.py as it was profiled here, 4 ms of a vCPU each") !=
        std::string::npos);
}

TEST_CASE("own loader: advise takes machines by it, and the answer keeps it") {
  const Desk desk(pictures_job("loader = \"load.py\"\n"));
  const auto answer = desk.told({"advise", "--infra", "aws"});
  CHECK(answer.at("query").at("loader") == "load.py");
  const auto& chosen = answer.at("chosen");
  const auto gpus = chosen.at("gpus").to_number<double>();
  CHECK(rate_of(chosen) <= 1.02 * gpus * 2 / 0.004);
  const auto assumptions = json::serialize(answer.at("assumptions"));
  CHECK(assumptions.find("items are loaded by load.py") != std::string::npos);
  const auto flag =
      Desk(pictures_job("")).told({"advise", "--infra", "aws", "--loader", "load.py"});
  CHECK(flag.at("chosen").at("instance") == chosen.at("instance"));
  CHECK(flag.at("chosen").at("throughput") == chosen.at("throughput"));
}

TEST_CASE("own loader: what loads nothing has none") {
  CHECK(Desk(pictures_job("loader = \"laod.py\"\n"))
            .refused({"advise"})
            .find("did you mean load.py?") != std::string::npos);
  CHECK(Desk(pictures_job("loader = \"load.py\"\npreprocess_on = \"gpu\"\n"))
            .refused({"advise"})
            .find("preprocess_on") != std::string::npos);
  const auto made_up = Desk(
      "[job]\nnetwork = \"resnet50\"\n[data]\nitems = 1000\nformat = \"synthetic\"\n"
      "loader = \"load.py\"\n");
  CHECK(made_up.refused({"advise"}).find("nothing is loaded") != std::string::npos);
  CHECK(Desk(pictures_job(""))
            .refused({"advise", "--loader", "load.py", "--preprocess-on", "gpu"})
            .find("--preprocess-on") != std::string::npos);
}
