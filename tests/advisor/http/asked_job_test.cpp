#include "advisor/http/asked_job.h"

#include <doctest/doctest.h>
#include <toml++/toml.h>

#include "advisor/query/usage_error.h"

using namespace rightsize;
using namespace rightsize::http;

namespace {

toml::table job_of(const std::vector<Parameter>& parameters, const std::string& base = "") {
  return toml::parse(job_with(base, "job.toml", parameters));
}

}  // namespace

TEST_CASE("asked job: parameters named as keys of the job file make one") {
  const auto job = job_of({{"job.network", "resnet50"},
                           {"job.batch_per_gpu", "[64, 128]"},
                           {"job.recompute", "true"},
                           {"job.precision", ""},
                           {"data.items", "1281167"},
                           {"data.bytes", "140GB"},
                           {"constraints.deadline", "48h"},
                           {"constraints.budget", "250.00"},
                           {"constraints.confidence", "0.95"},
                           {"money.rates_as_of", "2026-11-02"},
                           {"infra", "aws"}});
  CHECK(job["job"]["network"].value<std::string>() == "resnet50");
  CHECK(job["job"]["batch_per_gpu"][1].value<int>() == 128);
  CHECK(job["job"]["recompute"].value<bool>() == true);
  CHECK_FALSE(job["job"]["precision"]);
  CHECK(job["data"]["items"].value<int>() == 1281167);
  CHECK(job["data"]["bytes"].value<std::string>() == "140GB");
  CHECK(job["constraints"]["deadline"].value<std::string>() == "48h");
  CHECK(job["constraints"]["budget"].is_string());  // as files have it: exact decimals
  CHECK(job["constraints"]["confidence"].value<double>() == 0.95);
  CHECK(job["money"]["rates_as_of"].is_string());
  CHECK_FALSE(job.contains("infra"));
}

TEST_CASE("asked job: they stand on top of a file, and several of one key are a list") {
  const auto job = job_of({{"constraints.markets", "spot"},
                           {"constraints.markets", "on-demand"},
                           {"data.items", "1000"},
                           {"name", "mine"}},
                          "[job]\nnetwork = \"vgg16\"\n[data]\nitems = 7\nbytes = \"1GB\"\n");
  CHECK(job["job"]["network"].value<std::string>() == "vgg16");
  CHECK(job["data"]["items"].value<int>() == 1000);
  CHECK(job["data"]["bytes"].value<std::string>() == "1GB");
  CHECK(job["constraints"]["markets"][0].value<std::string>() == "spot");
  CHECK(job["constraints"]["markets"][1].value<std::string>() == "on-demand");
  CHECK(job["name"].value<std::string>() == "mine");
}

TEST_CASE("asked job: lists by comma, and texts in the quotes that a file has them in") {
  const auto job = job_of({{"constraints.infra", "aws/us-*, gcp,"},
                           {"job.batch_per_gpu", "64,128"},
                           {"job.network", "\"resnet50\""},
                           {"constraints.markets", ", "},
                           {"constraints.allow", "^g{1,2}"},
                           {"name", "a, b"}});
  CHECK(job["constraints"]["allow"].value<std::string>() == "^g{1,2}");
  CHECK(job["constraints"]["infra"][1].value<std::string>() == "gcp");
  CHECK(job["constraints"]["infra"].as_array()->size() == 2);
  CHECK(job["job"]["batch_per_gpu"][0].value<int>() == 64);
  CHECK(job["job"]["network"].value<std::string>() == "resnet50");
  CHECK_FALSE(job["constraints"]["markets"]);
  CHECK(job["name"].value<std::string>() == "a, b");
}

TEST_CASE("asked job: text that only looks like a value ends as a text and not as more keys") {
  const auto job = job_of({{"data.items", "1\n[service]\nqps = 3"}, {"name", "\"a\" # b"}});
  CHECK_FALSE(job.contains("service"));
  CHECK(job["data"]["items"].is_string());  // which its reader refuses
  CHECK(job["name"].value<std::string>() == "\"a\" # b");
}

TEST_CASE("asked job: a file that is no TOML is told by line, and none is made up without keys") {
  const std::vector<Parameter> items{{"data.items", "3"}};
  CHECK_THROWS_WITH_AS(
      (void)job_with("[job\n", "mine.toml", items), doctest::Contains("mine.toml:1:"), UsageError);
  CHECK(job_with("[job\n", "mine.toml", {}) == "[job\n");
  CHECK(job_key_named("measured.gpu") == nullptr);  // of a list of tables, which needs its file
}

TEST_CASE("asked job: what a file says for a key, as it would be typed") {
  const auto job = toml::parse("name = \"x\"\n[job]\nbatch_per_gpu = [1, 2]\n[data]\nitems = 7\n");
  CHECK(said_by(job, *job_key_named("name")) == "x");
  CHECK(said_by(job, *job_key_named("data.items")) == "7");
  CHECK(said_by(job, *job_key_named("job.batch_per_gpu")).value().find("1, 2") !=
        std::string::npos);
  CHECK_FALSE(said_by(job, *job_key_named("data.bytes")));
}
