// Runs that are stored while somebody listens, and how many may, over real sockets.
#include <chrono>
#include <csignal>
#include <future>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "profiler/made_record.h"
#include "profiler/store/store.h"
#include "support/running_server.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::RunningServer;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples";
const std::string key = "Authorization: Bearer secret\r\n";

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string asking(const std::string& target, const std::string& headers = key) {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

struct Measuring {
  TemporaryFolder folder;
  std::string path = folder / "records.db";
  RunningServer server;

  explicit Measuring(const std::vector<std::string>& more = {"--quiet"})
      : server(with_store(more, path),
               {"RIGHTSIZE_TOKEN=secret", "XDG_DATA_HOME=" + folder.path()}) {}

  static std::vector<std::string> with_store(std::vector<std::string> words,
                                             const std::string& path) {
    words.insert(words.end(), {examples, "--db", path});
    return words;
  }
  void store(const std::string& id) const { Store(path).append(test::make_record(id)); }
};

}  // namespace

TEST_CASE("events: a run that is stored while a client listens arrives there") {
  const Measuring measuring;
  auto early = measuring.server.opened(asking("/measurements/events"));  // no store is there yet
  CHECK(says(early.until("retry: 2000\n\n"), "Content-Type: text/event-stream; charset=utf-8\r\n"));
  measuring.store("a1");
  CHECK(says(early.until("event: counts"), "event: run\nid: 1\ndata: {\"id\":\"a1\""));
  measuring.store("b2");
  CHECK(says(early.until("\"id\":\"b2\""), "event: run\nid: 2\n"));
  // Whoever was away for a while says what it heard last.
  auto again =
      measuring.server.opened(asking("/measurements/events?after=0", key + "Last-Event-ID: 1\r\n"));
  const auto& missed = again.until("event: counts");
  CHECK(says(missed, "\"id\":\"b2\""));
  CHECK_FALSE(says(missed, "\"id\":\"a1\""));
  CHECK(says(measuring.server.get("/measurements", key).body, "cell b2"));
  CHECK(says(measuring.server.get("/measurements", key + "Accept: text/html\r\n").head,
             "connect-src 'self'"));
}

TEST_CASE("events: a listener is asked for a token and a name, and ended with the server") {
  Measuring measuring;
  CHECK(measuring.server.get("/measurements/events").status == 401);
  CHECK(measuring.server.get("/measurements").status == 401);
  CHECK(
      says(measuring.server.exchanged("GET /measurements/events HTTP/1.1\r\nHost: evil.example\r\n"
                                      "Connection: close\r\n" +
                                      key + "\r\n"),
           "HTTP/1.1 403 "));
  CHECK(measuring.server.get("/measurements/events", key + "Last-Event-ID: x\r\n").status == 400);
  const auto head = measuring.server.ask("HEAD", "/measurements/events", key);
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  auto listener = measuring.server.opened(asking("/measurements/events"));
  (void)listener.until("retry");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(measuring.server.stop(SIGINT) == 0);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
  (void)listener.until("nothing more");
  CHECK(listener.has_ended());
}

TEST_CASE("events: so many may listen, and one that leaves makes room") {
  const Measuring measuring;
  std::vector<test::OpenConnection> listeners;
  for (int i = 0; i < 16; ++i) {
    listeners.push_back(measuring.server.opened(asking("/measurements/events")));
    CHECK(says(listeners.back().until("retry"), "200 OK"));
  }
  const auto refused = measuring.server.get("/measurements/events", key);
  CHECK(refused.status == 503);
  CHECK(says(refused.head, "Retry-After: "));
  CHECK(measuring.server.get("/measurements", key).status == 200);
  listeners.pop_back();
  bool listens = false;
  for (int attempt = 0; attempt < 50 && !listens; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    auto next = measuring.server.opened(asking("/measurements/events"));
    listens = says(next.until("\r\n\r\n"), "200 OK");
  }
  CHECK(listens);
}

TEST_CASE("events: of many that come at once no more are let in") {
  const Measuring measuring;
  std::vector<test::OpenConnection> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back(measuring.server.opened(asking("/measurements/events")));
  }
  int listening = 0;
  for (auto& one : all) {
    listening += says(one.until("\r\n\r\n"), "200 OK") ? 1 : 0;
  }
  CHECK(listening == 16);
}

TEST_CASE("bounds: connections above their number are told so, until others have gone") {
  Measuring measuring(std::vector<std::string>{});
  std::vector<test::OpenConnection> idle;
  for (int i = 0; i < 64; ++i) {
    idle.push_back(measuring.server.opened(""));
  }
  const auto refused = measuring.server.get("/healthz");
  CHECK(refused.status == 503);
  CHECK(says(refused.head, "Retry-After: "));
  CHECK(says(refused.body, "too many connections"));
  idle.clear();
  int status = 503;
  for (int attempt = 0; attempt < 50 && status != 200; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    status = measuring.server.get("/healthz").status;
  }
  CHECK(status == 200);
  CHECK(measuring.server.stop(SIGTERM) == 0);
  CHECK(says(measuring.server.err(), "(refused) more connections than there may be 503"));
}

TEST_CASE("bounds: where most connections are taken none is kept for a next request") {
  const Measuring measuring;
  std::vector<test::OpenConnection> idle;
  auto kept = measuring.server.opened(asking("/healthz"));
  CHECK_FALSE(says(kept.until("ok\n"), "Connection: close"));
  for (int i = 0; i < 50; ++i) {
    idle.push_back(measuring.server.opened(""));
  }
  auto closed = measuring.server.opened(asking("/healthz"));
  CHECK(says(closed.until("ok\n"), "Connection: close"));
}

TEST_CASE("bounds: so many questions wait for their turn, others are told to ask again") {
  const Measuring measuring({"--quiet", "--at-once", "1"});
  const auto endless = asking(
      "/simulate?gpu-rate=100000&data=recordio&cpus=64&memory=512GiB&batch=1&"
      "simulated-items=10000000");
  std::vector<test::OpenConnection> waiting;
  for (int i = 0; i < 33; ++i) {  // one is worked out
    waiting.push_back(measuring.server.opened(endless));
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));  // all of them have been read
  const auto answer = measuring.server.get("/gpus/A100", key);
  CHECK(answer.status == 503);
  CHECK(says(answer.head, "Retry-After: "));
  CHECK(says(answer.body, "too many questions wait"));
  CHECK(measuring.server.get("/measurements", key).status == 200);  // what needs no turn goes on
  waiting.clear();
  CHECK(measuring.server.get("/gpus/A100", key).status == 200);
}
