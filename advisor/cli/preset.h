// --as and --disk of the measuring commands: limits by the name of what is sold.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "advisor/cli/command.h"
#include "kernels/workload.h"

namespace rightsize::cli {

// Campaign fields and their values, as the options of `profile` spell them.
using FieldValues = std::vector<std::pair<std::string, std::string>>;

struct Preset {
  FieldValues fields;
  std::vector<std::string> notes;  // for stderr: what stands for what
  double scale = 1;                // of an instance that is too large for this machine
  std::string provider;            // of an instance: whose disks it can have
  std::string instance;            // and what it lets through of them
};

// "gp3:500GiB", "alibaba/cloud_ssd", "efficiency", "nvme": a disk class of the price tables at a
// size (500 GiB unless said), of which an instance lets so much through as tables say, where one is
// named. Throws UsageError listing the classes; of a machine of `provider`, where that is said,
// also where another sells the class.
[[nodiscard]] Preset disk_preset(const std::string& text,
                                 double scale = 1,
                                 const std::string& provider = "",
                                 const std::string& instance = "");

// "aws/g5.xlarge": vCPUs, memory and, by the replay engine, its GPU doing `work`. Throws UsageError
// with the nearest names.
[[nodiscard]] Preset instance_preset(const std::string& text, const Workload& work);

}  // namespace rightsize::cli
