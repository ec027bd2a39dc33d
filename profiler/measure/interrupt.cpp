#include "profiler/measure/interrupt.h"

#include <atomic>

namespace rightsize {
namespace {

// The one global of this room: a signal handler can reach nothing else.
std::atomic<int> interrupts{0};
std::atomic<int> scopes{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int) {
  interrupts.fetch_add(1);
}

}  // namespace

InterruptScope::InterruptScope() {
  if (scopes.fetch_add(1) == 0) {
    interrupts = 0;
  }
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
  sigaction(SIGHUP, nullptr, &old_hup_);
  if (old_hup_.sa_handler != SIG_IGN) {  // nohup means it
    sigaction(SIGHUP, &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
  sigaction(SIGHUP, &old_hup_, nullptr);
  scopes.fetch_sub(1);
}

int InterruptScope::count() {
  return interrupts;
}

}  // namespace rightsize
