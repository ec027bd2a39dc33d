#include "advisor/machine/update_note.h"

#include <fmt/format.h>

#include "advisor/candidate/update_share.h"

namespace rightsize {

void warn_of_nearest_update(const Configuration& asked, Answer& answer) {
  if (asked.phase != Phase::train || asked.global_batch == 0) {
    return;
  }
  const auto items = divided_update(asked, asked.machine.gpus(), answer.batch).global();
  if (items != asked.global_batch) {
    answer.warn(fmt::format("an update is of {} items here, the nearest to {} by equal shares",
                            items,
                            asked.global_batch));
  }
}

}  // namespace rightsize
