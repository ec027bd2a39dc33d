#include "advisor/machine/update_note.h"

#include <cstdint>

#include <fmt/format.h>

#include "advisor/candidate/update_share.h"

namespace rightsize {

void warn_of_nearest_update(const Configuration& asked, Answer& answer) {
  if (asked.phase != Phase::train || asked.global_batch == 0) {
    return;
  }
  const int gpus = asked.machine.gpus();
  const int sharing = asked.gpus_per_copy();
  const auto update = with_update_shared(asked, gpus, answer.batch);
  const std::int64_t items = sharing > 1 && update.copy_batch > 0
                                 ? std::int64_t{gpus / sharing} * update.copy_batch
                                 : std::int64_t{gpus} * answer.batch * update.accumulate;
  if (items != asked.global_batch) {
    answer.warn(fmt::format("an update is of {} items here, the nearest to {} by equal shares",
                            items,
                            asked.global_batch));
  }
}

}  // namespace rightsize
