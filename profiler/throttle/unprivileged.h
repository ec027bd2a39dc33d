// What can be done with no rights at all: CPU affinity here, a token bucket in the loader.
#pragma once

#include <sched.h>

#include "profiler/throttle/throttle.h"

namespace rightsize {

class Unprivileged : public Throttle {
 public:
  // `why` says why no cgroup is used; it becomes part of the notes.
  Unprivileged(const Limits& limits, const std::string& why);

  [[nodiscard]] std::string_view kind() const override { return "unprivileged"; }
  [[nodiscard]] bool enter() const noexcept override;
  [[nodiscard]] Usage usage() const override { return {}; }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  [[nodiscard]] std::vector<std::string> not_imposed() const override { return not_imposed_; }
  [[nodiscard]] double loader_read_bytes_per_s() const override { return read_bytes_per_s_; }

 private:
  cpu_set_t cpus_{};
  bool pinned_ = false;
  double read_bytes_per_s_ = 0;
  std::vector<std::string> notes_;
  std::vector<std::string> not_imposed_;
};

}  // namespace rightsize
