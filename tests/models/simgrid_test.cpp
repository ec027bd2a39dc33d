// The simulated pipeline against SimGrid's simulation of it (simgrid_peer.py), where Debian's
// python3-simgrid is installed: resources and scheduling written by others.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/exponential_factors.h"
#include "models/simulate/pipeline.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct Case {
  int workers;
  int cores;
  int prefetch;
  int batch;
  double read_s;    // of an item, from the disk
  double decode_s;  // of an item, on one core
  double step_s;    // of a minibatch
  int batches = 1000;
  bool by_chance = false;  // exponential times of these means
};

// What a command prints, "" where it fails.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 256> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe.get()) != nullptr) {
    text += piece.data();
  }
  return text;
}

double batches_per_s_of_peer(const Case& c) {
  const auto command = fmt::format(
      "/usr/bin/python3 {}/tests/models/simgrid_peer.py {} {} {} {} {} "
      "{} {} {} {} 2>/dev/null",
      RIGHTSIZE_SOURCE_DIR,
      c.workers,
      c.cores,
      c.prefetch + c.workers,
      c.batch,
      c.read_s,
      c.decode_s,
      c.step_s,
      c.batches,
      c.by_chance ? "1" : "");
  const auto text = output_of(command);
  CAPTURE(command);
  REQUIRE_FALSE(text.empty());
  return std::atof(text.c_str());
}

double batches_per_s_of_ours(const Case& c) {
  constexpr double item_bytes = 1e6;
  Laws laws;
  laws.data_cpu_s = c.decode_s;
  laws.scaling = {0, 0};
  laws.native_disk.bytes_per_s = c.read_s > 0 ? item_bytes / c.read_s : 0;
  Setting setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.workload.batch = c.batch;
  setting.workload.prefetch_batches = c.prefetch;
  setting.cpus = c.cores;
  setting.loader_threads = c.workers;
  setting.accelerator_items_per_s = c.batch / c.step_s;
  setting.dataset_items = 1000;
  setting.dataset_bytes = static_cast<std::uint64_t>(1000 * item_bytes);
  SimulationOptions options;
  options.items = static_cast<std::uint64_t>(c.batches) * static_cast<std::uint64_t>(c.batch);
  options.decode_deviation = 0;
  options.step_deviation = 0;
  options.miss_ratio = c.read_s > 0 ? 1 : 0;
  const auto exponential = test::exponential_factors();
  if (c.by_chance) {
    options.items = 1'000'000;  // ours shall add no noise of its own
    options.decode_factors = exponential;
    options.step_factors = exponential;
  }
  return simulate_pipeline(laws, setting, options).items_per_s / c.batch;
}

bool has_simgrid() {
  return output_of("/usr/bin/python3 -c 'import simgrid; print(1)' 2>/dev/null").find('1') !=
         std::string::npos;
}

}  // namespace

TEST_CASE("simgrid: workers, shared cores, a disk, a bounded buffer and an accelerator") {
  if (!has_simgrid()) {
    MESSAGE("skipped: python3-simgrid is not installed (./dev setup)");
    return;
  }
  const std::array cases{
      Case{1, 1, 1, 4, 0, 1e-3, 3e-3},       // the loader
      Case{4, 2, 2, 4, 0, 1e-3, 3e-3},       // the accelerator
      Case{3, 2, 0, 4, 0, 1e-3, 1.9e-3},     // shared cores, hardly a buffer
      Case{5, 3, 1, 2, 0, 1e-3, 0.6e-3},     // more workers than cores
      Case{1, 2, 1, 4, 0.5e-3, 1e-3, 1e-3},  // one reader waits for its disk
      Case{3, 3, 1, 4, 0.5e-3, 1e-3, 1e-3},  // disk and cores alike
      Case{4, 2, 2, 4, 0.8e-3, 1e-3, 2e-3},  // the disk
      Case{3, 2, 1, 8, 0.4e-3, 1e-3, 4e-3},  // cores, nearly the accelerator
      // Where chance decides who waits for whom: 10,000 minibatches are known to within 2 or 3 %.
      Case{3, 2, 1, 1, 0, 1e-3, 0.6e-3, 10'000, true},
      Case{4, 2, 0, 1, 0.3e-3, 1e-3, 0.5e-3, 10'000, true},
  };
  for (const auto& c : cases) {
    const double ours = batches_per_s_of_ours(c);
    const double peer = batches_per_s_of_peer(c);
    CAPTURE(c.workers);
    CAPTURE(c.cores);
    CAPTURE(c.read_s);
    CAPTURE(c.step_s);
    MESSAGE(ours, " minibatches/s, SimGrid ", peer);
    CHECK(ours == test::approx(peer).epsilon(c.by_chance ? 0.03 : 0.01));
  }
}
