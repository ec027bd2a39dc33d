// The StorageClass by which a managed Kubernetes cluster knows a cloud's disks.
#pragma once

#include <string_view>

namespace rightsize {

struct StorageClass {
  std::string_view name;     // empty: leave it out, and the cluster's default is taken
  std::string_view comment;  // what its reader has to know, beside it
};

// Of the disk class of our price tables ("gp3"), or, where that is empty, of a disk whose speed is
// nobody's matter. A class that the cluster does not come with has the disk's name, and says so.
[[nodiscard]] StorageClass storage_class(std::string_view provider, std::string_view disk);

// Of a disk of no class whose speed counts.
[[nodiscard]] StorageClass fast_storage_class(std::string_view provider);

}  // namespace rightsize
