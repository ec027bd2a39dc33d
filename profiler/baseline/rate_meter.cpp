#include "profiler/baseline/rate_meter.h"

#include <thread>
#include <vector>

#include "profiler/measure/clock.h"
#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

// Each thread's own rate, summed: a thread that ends a chore late has not lost what it did.
double one_round(std::vector<Chore>& chores, double round_s) {
  std::vector<double> rates(chores.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < chores.size(); ++i) {
    threads.emplace_back([&, i] {
      SteadyClock clock;
      const double begin_s = clock.now_s();
      double done = 0;
      double now_s = begin_s;
      while (now_s - begin_s < round_s) {
        done += chores[i]();
        now_s = clock.now_s();
      }
      rates[i] = done / (now_s - begin_s);
    });
  }
  double sum = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i].join();
    sum += rates[i];
  }
  return sum;
}

}  // namespace

Measured rate_of(int threads,
                 double round_s,
                 int rounds,
                 const std::function<Chore(int thread)>& make_chore) {
  std::vector<Chore> chores;
  for (int i = 0; i < threads; ++i) {
    chores.push_back(make_chore(i));
  }
  std::vector<double> rates;
  for (int round = 0; round <= rounds; ++round) {
    const double rate = one_round(chores, round_s);
    if (round > 0) {
      rates.push_back(rate);
    }
  }
  return summarize(rates);
}

}  // namespace rightsize
