// The server over real sockets: its answers are those of the command line.
#include "advisor/http/server.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/running_server.h"
#include "support/said_by.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::RunningServer;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A home without a model, so that the shipped one answers here and there.
struct Empty {
  TemporaryFolder home;
  std::vector<std::string> environment{"XDG_DATA_HOME=" + home.path(), "RIGHTSIZE_TOKEN=secret"};
};

const std::string key = "Authorization: Bearer secret\r\n";

}  // namespace

TEST_CASE("server: an answer is that of the command line, in each form") {
  const Empty empty;
  const RunningServer server({examples, "--quiet"}, empty.environment);
  const std::string job = examples + "/demo/job.toml";
  const auto text = server.get("/advise?job=demo/job.toml&infra=aws&max-results=3", key);
  CHECK(text.status == 200);
  CHECK(says(text.head, "Content-Type: text/plain; charset=utf-8"));
  CHECK(says(text.head, "Rightsize-Exit-Code: 0"));
  auto typed = test::run_without_model({"advise", job, "--infra", "aws", "--max-results", "3"}).out;
  typed = typed.substr(0, typed.find("Next:"));  // which names the file
  CHECK(text.body.substr(0, typed.size()) == typed);

  const auto json =
      server.ask("POST", "/explain?infra=aws", key + "Accept: application/json\r\n", text_of(job));
  CHECK(json.status == 200);
  CHECK(boost::json::parse(json.body).at("schema").as_string() == "rightsize/explanation/1");
  const auto csv = server.get("/advise?job=demo/job.toml&infra=aws&o=csv&max-results=2", key);
  CHECK(csv.body == test::run_without_model(
                        {"advise", job, "--infra", "aws", "-o", "csv", "--max-results", "2"})
                        .out);
  const auto page =
      server.get("/advise?job=demo/job.toml&infra=aws", key + "Accept: text/html\r\n");
  CHECK(says(page.head, "Content-Type: text/html"));
  CHECK(says(page.head, "Content-Security-Policy: default-src 'none'"));
  for (const auto* part : {"<h1>ResNet-50 on ImageNet</h1>",
                           "<form class=\"ask\"",
                           "action=\"/what-if\"",
                           "<option>aws/us-west-2/p4d.24xlarge</option>",
                           "href=\"/advise?job=demo%2Fjob.toml&amp;infra=aws&amp;o=json\""}) {
    CAPTURE(part);
    CHECK(says(page.body, part));
  }
  // What the front page leads to is there, and pages of runs are pages too.
  for (const auto* target : {"/",
                             "/advise?help",
                             "/report?help",
                             "/gpus",
                             "/networks",
                             "/prices/list",
                             "/report?job=measurements/demo.jsonl"}) {
    CAPTURE(target);
    const auto there = server.get(target, key + "Accept: text/html\r\n");
    CHECK(there.status == 200);
    CHECK(says(there.body, "<!DOCTYPE html>"));
  }
}

TEST_CASE("server: a job that came with its question is told by its own name in errors") {
  const Empty empty;
  const RunningServer server({examples, "--quiet"}, empty.environment);
  const auto wrong =
      server.ask("POST", "/advise?o=json", key, "[job]\nnetwork = \"resnet50\"\nepochs = -1\n");
  CHECK(wrong.status == 400);
  const auto error = std::string(boost::json::parse(wrong.body).at("error").as_string());
  CHECK(error.starts_with("job.toml:3:"));
  const auto changed = server.get("/advise?job=demo/job.toml&job.epochs=-1", key);
  CHECK(says(changed.body, "error: demo/job.toml:"));
  // Neither its name nor the artifacts know where the text was kept.
  const auto exported = server.get(
      "/export?job.network=resnet50&data.items=1000000&data.bytes=100GB"
      "&data.format=jpeg&infra=aws&to=kubernetes",
      key);
  CHECK(exported.status == 200);
  CHECK_FALSE(says(exported.body, "proc"));
  CHECK(says(exported.body, "name: job-toml\n"));
  const auto missing = server.get("/advise?job=nowhere.toml", key);
  CHECK(missing.status == 400);
  CHECK(says(missing.body, "nowhere.toml: there is no such file"));
  const auto impossible = server.get(
      "/what-if?job=demo/job.toml&supposed=g6e.xlarge&supposed=gpu=T4&deadline=1min", key);
  CHECK(says(impossible.head, "Rightsize-Exit-Code: 3"));
}

TEST_CASE(
    "server: many ask at once, over connections that stay open, and some that make no sense") {
  const Empty empty;
  const RunningServer server({examples, "--quiet", "--at-once", "2"}, empty.environment);
  std::vector<std::future<test::HttpAnswer>> answers;
  for (int i = 0; i < 6; ++i) {
    answers.push_back(std::async(std::launch::async, [&, i] {
      return server.get(fmt::format("/predict?gpu-rate={}&cpus=8&memory=32GiB&o=json", 100 + i),
                        key);
    }));
  }
  for (auto& answer : answers) {
    CHECK(answer.get().status == 200);
  }
  const std::string first = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const std::string last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const auto both = server.exchanged(first + last);
  CHECK(says(both.substr(both.find("\r\n\r\nok\n")), "HTTP/1.1 200 OK"));
  (void)server.exchanged("no request at all\r\n\r\n");
  (void)server.exchanged(std::string(100000, 'x'));
  CHECK(server.ask("POST", "/advise", key, std::string(2 << 20, ' ')).status == 413);
  const auto deleted = server.ask("DELETE", "/advise", key);
  CHECK(deleted.status == 405);
  CHECK(says(deleted.head, "Allow: GET, HEAD, POST"));
  const auto head = server.ask("HEAD", "/gpus/A100", key);
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  CHECK(server.get("/healthz").body == "ok\n");
}

TEST_CASE("server: what takes too long is given up, and others are answered meanwhile") {
  const Empty empty;
  const RunningServer server({examples, "--quiet", "--limit", "1"}, empty.environment);
  auto endless = std::async(std::launch::async, [&] {
    return server.get(
        "/simulate?gpu-rate=100000&data=recordio&cpus=64&memory=512GiB&batch=1&simulated-items="
        "10000000",
        key);
  });
  CHECK(server.get("/gpus/A100", key).status == 200);
  const auto given_up = endless.get();
  CHECK(given_up.status == 503);
  CHECK(says(given_up.body, "took too long"));
}

TEST_CASE("server: who asked and has gone leaves no answer behind, and an end waits for none") {
  const Empty empty;
  RunningServer server({examples, "--quiet", "--at-once", "1"}, empty.environment);
  const std::string endless =
      "GET /simulate?gpu-rate=100000&data=recordio&cpus=64&memory=512GiB&batch=1&"
      "simulated-items=10000000 HTTP/1.1\r\nHost: localhost\r\n" +
      key + "\r\n";
  server.send_and_leave(endless);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(server.get("/gpus/A100", key).status == 200);  // the only place is free again
  auto asking = std::async(std::launch::async, [&] { return server.exchanged(endless); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(server.stop(SIGTERM) == 0);
  CHECK(asking.get().empty());
  // The simulation alone takes several times as long.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("server: it ends when it is told to, and its log holds no token") {
  const Empty empty;
  RunningServer server({examples}, empty.environment);
  CHECK(server.address() == fmt::format("http://127.0.0.1:{}/?token=secret", server.port()));
  CHECK(server.get("/gpus/A100?token=secret").status == 200);
  CHECK(server.get("/gpus/A100?token=wrong").status == 401);
  CHECK(server.stop(SIGTERM) == 0);
  CHECK(says(server.err(), "GET /gpus/A100 200 "));
  CHECK(says(server.err(), "GET /gpus/A100 401 "));
  CHECK_FALSE(says(server.err(), "secret"));
  RunningServer other({examples, "--quiet", "--no-auth"}, empty.environment);
  CHECK(other.get("/gpus/A100").status == 200);
  CHECK(other.stop(SIGINT) == 0);
}

TEST_CASE("server: where it cannot listen, or should not, it says so") {
  const Empty empty;
  const RunningServer server({examples, "--quiet"}, empty.environment);
  const auto taken = test::said_by(
      fmt::format("timeout 20 {} serve {} --port {}", RIGHTSIZE_BINARY, examples, server.port()));
  CHECK(taken.code == cli::exit_failed);
  CHECK(says(taken.out, "--port 0 takes a free port"));
  CHECK(says(test::run({"serve", examples, "--host", "0.0.0.0", "--no-auth"}).err, "--name"));
  CHECK(test::run({"serve", examples + "/nowhere"}).code == cli::exit_usage);
  CHECK(says(test::run({"serve", examples, "--port", "70000"}).err, "from 0 to 65535"));
  CHECK(says(test::run({"serve", examples, "--host", "localhost.example"}).err, "--host"));
}
