#include "advisor/export/data_volume.h"

#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/storage_class.h"
#include "advisor/export/weights_disk.h"
#include "pricing/attaches.h"

namespace rightsize {
namespace {

std::string claimed_volume(const StorageClass& storage,
                           const std::string& comment,
                           std::int64_t gib) {
  const auto named = storage.name.empty() ? std::string("# storageClassName:")
                                          : "storageClassName: " + in_quotes(storage.name) + "  #";
  return fmt::format(
      "    - name: data\n"
      "      ephemeral:\n"
      "        volumeClaimTemplate:\n"
      "          spec:\n"
      "            accessModes: [ReadWriteOnce]\n"
      "            {} {}\n"
      "{}"
      "            resources: {{requests: {{storage: {}Gi}}}}\n",
      named,
      storage.comment,
      comment,
      gib);
}

// Of a disk without a class of the tables: a machine that attaches none of those which clusters
// come with has the one that it does.
StorageClass usual_class(const Option& option) {
  constexpr std::string_view of_clusters = "pd-balanced";  // GKE's standard-rwo
  const bool hyperdisk = !attaches(option.provider, option.instance, of_clusters);
  return storage_class(option.provider, hyperdisk ? "hyperdisk-balanced" : "");
}

// What its speed has to be for the estimate to hold.
std::string speed_comment(const Option& option) {
  if (option.disk_source == Source::assumed) {
    return fmt::format("            # {:.0f} MB/s were assumed of it\n",
                       option.disk_bytes_per_s / 1e6);
  }
  return option.disk_iops + option.disk_mbps > 0 ? fmt::format(
                                                       "            # its StorageClass has to buy "
                                                       "the speed that the price counts: {}\n",
                                                       option.disk)
                                                 : "";
}

}  // namespace

std::string data_volume(const Recommendation& answer, const Option& option) {
  if (const auto gib = weights_disk_gib(answer, option); gib > 0) {
    return claimed_volume(usual_class(option),
                          "            # the weights and 20 GiB; the price has no disk in it\n",
                          gib);
  }
  if (option.disk_gib == 0) {
    return fmt::format("    - name: data  # {}\n      emptyDir: {{}}\n", option.disk);
  }
  return claimed_volume(option.disk_source == Source::assumed
                            ? fast_storage_class(option.provider)
                            : storage_class(option.provider, option.disk_class),
                        speed_comment(option),
                        option.disk_gib);
}

}  // namespace rightsize
