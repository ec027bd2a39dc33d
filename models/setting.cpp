#include "models/setting.h"

namespace rightsize {

Setting setting_of(const Record& record) {
  Setting setting;
  setting.workload = record.workload;
  setting.cpus = record.limits.cpus > 0 ? record.limits.cpus : record.machine.cpus;
  setting.memory_bytes =
      record.limits.memory_bytes > 0 ? record.limits.memory_bytes : record.machine.memory_bytes;
  setting.resident_bytes = record.peak_anonymous_bytes;
  setting.disk.bytes_per_s = record.limits.disk_read_bytes_per_s;
  setting.disk.iops = record.limits.disk_read_iops;
  setting.disk_write_bytes_per_s = record.limits.disk_write_bytes_per_s;
  setting.dataset_items = record.dataset_items;
  setting.dataset_bytes = record.dataset_bytes;
  setting.accelerator_items_per_s =
      record.workload.engine == EngineKind::replay ? record.workload.replay_items_per_s : 0;
  setting.copy_before_step = record.workload.engine == EngineKind::replay;
  setting.loader_threads = record.loader_threads;
  return setting;
}

}  // namespace rightsize
