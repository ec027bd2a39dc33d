#include "profiler/measure/worker.h"

#include "advisor/cli/command.h"

namespace rightsize::cli {

int run_worker_command(Context&, const std::vector<std::string>&) {
  return run_worker(worker_in_fd, worker_out_fd);
}

}  // namespace rightsize::cli
