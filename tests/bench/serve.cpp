// What `rightsize serve`, whose processes begin with the tables read, saves of a command's time.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "support/running_server.h"

using namespace rightsize;

namespace {

constexpr int runs = 20;

template <typename Ask>
double best_ms(Ask ask) {
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    ask();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

struct Asked {
  const char* what;
  const char* typed;
  const char* target;
};

}  // namespace

int main() {
  const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples";
  const test::RunningServer server({examples, "--quiet", "--no-auth"});
  for (const auto& [what, typed, target] :
       {Asked{"what-if, one machine",
              "what-if demo/job.toml aws/us-east-1/g6e.2xlarge vcpus=x2 -o json",
              "/what-if?job=demo/job.toml&supposed=aws/us-east-1/"
              "g6e.2xlarge&supposed.vcpus=x2&o=json"},
        Asked{"advise, all offers",
              "advise demo/job.toml -o json",
              "/advise?job=demo/job.toml&o=json"},
        Asked{"predict, one GPU",
              "predict --network resnet50 --data synthetic --machine gpu=L4 -o json",
              "/predict?network=resnet50&data=synthetic&machine=gpu=L4&o=json"}}) {
    const auto line =
        fmt::format("cd {} && {} {} >/dev/null 2>&1", examples, RIGHTSIZE_BINARY, typed);
    const double command = best_ms([&] {
      if (std::system(line.c_str()) != 0) {
        std::exit(1);
      }
    });
    const double served = best_ms([&] {
      if (server.get(target).status != 200) {
        std::exit(1);
      }
    });
    fmt::print("{:<22} command {:6.1f} ms, served {:6.1f} ms: {:.2f} of it (best of {})\n",
               what,
               command,
               served,
               served / command,
               runs);
  }
}
