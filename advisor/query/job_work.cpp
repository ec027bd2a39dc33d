#include "advisor/query/job_work.h"

#include "kernels/networks/program.h"

namespace rightsize {

JobWork work_of(const NetworkStep& step) {
  return step.phase == Phase::preprocess ? JobWork::preprocessing
         : program_named(step.network)   ? JobWork::program
                                         : JobWork::network;
}

std::string_view why_gpu_idle(const NetworkStep& step) {
  switch (work_of(step)) {
    case JobWork::preprocessing:
      return no_gpu_preprocesses;
    case JobWork::program:
      return program_leaves_gpu_idle;
    case JobWork::network:
      break;
  }
  return "";
}

}  // namespace rightsize
