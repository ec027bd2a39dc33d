// The emulation must fail where a kernel is wrong, or its green tests say nothing.
#include <csignal>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/gpu/emulation/broken_kernels.h"
#include "kernels/gpu/emulation/device_memory.h"
#include "kernels/gpu/emulation/launch.h"

namespace rightsize::emulation {
namespace {

std::vector<float> sums(Sum how) {
  std::vector<float> in(256);
  std::iota(in.begin(), in.end(), 1.0F);
  std::vector<float> out(256);
  launch_sum(how, in.data(), out.data());
  return out;
}

const std::vector<float> expected(256, 256.0F * 257 / 2);

// Runs `action` in a child and says whether it died of it.
template <typename Action>
bool dies(Action action) {
  const pid_t child = fork();
  if (child == 0) {
    close(STDERR_FILENO);
    std::signal(SIGSEGV, SIG_DFL);  // doctest's would report it
    std::signal(SIGABRT, SIG_DFL);
    action();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_CASE("emulation: a sound kernel sums in every order of its threads") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    set_seed(seed);
    CHECK(sums(Sum::sound) == expected);
    CHECK(sums(Sum::by_shuffles) == expected);
  }
}

TEST_CASE("emulation: a missing barrier gives another result") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    set_seed(seed);
    CHECK(sums(Sum::no_barrier_before_reading) != expected);
    CHECK(sums(Sum::no_barrier_before_reusing) != expected);
  }
}

TEST_CASE("emulation: a barrier that not all threads reach is an error that says where") {
  CHECK_THROWS_WITH_AS(
      sums(Sum::barrier_for_some),
      doctest::Contains("cannot go on: of its 256 threads 128 wait at the barrier"),
      EmulationError);
  CHECK_THROWS_WITH_AS(
      sums(Sum::two_barriers), doctest::Contains("wait at two barriers"), EmulationError);
}

TEST_CASE("emulation: a shuffle whose lanes have ended is an error") {
  CHECK_THROWS_WITH_AS(sums(Sum::shuffle_without_some_lanes),
                       doctest::Contains("for lanes 0xffffffff"),
                       EmulationError);
}

TEST_CASE("emulation: writing beyond shared memory is an error") {
  CHECK_THROWS_WITH_AS(sums(Sum::beyond_shared_memory),
                       doctest::Contains("wrote beyond its dynamic shared memory (1024 bytes)"),
                       EmulationError);
}

TEST_CASE("emulation: a launch that CUDA would refuse is an error") {
  std::vector<float> out(4096);
  CHECK_THROWS_WITH_AS(
      launch_fill(out.data(), 0, 1), doctest::Contains("is empty"), EmulationError);
  CHECK_THROWS_WITH_AS(
      launch_fill(out.data(), 2048, 1), doctest::Contains("more than a GPU takes"), EmulationError);
}

TEST_CASE("emulation: memory starts as NaN and every thread of every block runs") {
  const DeviceMemory memory(96 * sizeof(float));
  auto* const values = reinterpret_cast<float*>(memory.data());
  CHECK(values[0] != values[0]);
  const auto before = blocks_run();
  launch_fill(values, 96, 3);
  CHECK(blocks_run() == before + 3);
  for (int i = 0; i < 96; ++i) {
    CHECK(values[i] == static_cast<float>(i % 32));
  }
  CHECK_NOTHROW(memory.check());
}

TEST_CASE("emulation: writes around a buffer are found") {
  const DeviceMemory odd(95 * sizeof(float));
  launch_fill(reinterpret_cast<float*>(odd.data()), 96, 3);
  CHECK_THROWS_WITH_AS(odd.check(), doctest::Contains("beyond the end"), EmulationError);
  const DeviceMemory front(96 * sizeof(float));
  launch_fill(reinterpret_cast<float*>(front.data()) - 1, 96, 3);
  CHECK_THROWS_WITH_AS(front.check(), doctest::Contains("before the start"), EmulationError);
  const DeviceMemory whole(96 * sizeof(float));
  CHECK(dies([&] { launch_fill(reinterpret_cast<float*>(whole.data()), 128, 4); }));
  CHECK_FALSE(dies([&] { launch_fill(reinterpret_cast<float*>(whole.data()), 96, 4); }));
}

TEST_CASE("emulation: a wide store to an address that is not a multiple of its width is an error") {
  const DeviceMemory memory(16 * sizeof(float));
  auto* const values = reinterpret_cast<float*>(memory.data());
  CHECK_FALSE(dies([&] { launch_wide_fill(values + 4); }));
  CHECK(dies([&] { launch_wide_fill(values + 1); }));
}

}  // namespace
}  // namespace rightsize::emulation
