#include "advisor/export/storage_class.h"

#include <algorithm>
#include <array>

namespace rightsize {
namespace {

struct Row {
  std::string_view provider;
  std::string_view disk;  // empty: any
  StorageClass known;
};

constexpr std::string_view comes_with = "REPLACE if your cluster calls it otherwise";

// What clusters come with: EKS gp2, without which nothing is the default since Kubernetes 1.30
// (docs.aws.amazon.com/eks/latest/userguide/storage-classes.html); GKE standard-rwo, premium-rwo
// and standard (cloud.google.com/kubernetes-engine/docs/concepts/persistent-volumes), but none of
// Hyperdisk (.../docs/how-to/persistent-volumes/hyperdisk); AKS managed-csi
// (learn.microsoft.com/azure/aks/concepts-storage); OKE oci-bv (docs.oracle.com, "Provisioning PVCs
// on the Block Volume Service"); ACK alicloud-disk-* (alibabacloud.com/help/ack).
constexpr std::array rows{
    Row{"aws", "", {"gp2", "every EKS cluster has it; it needs the EBS CSI add-on"}},
    Row{"aws", "gp2", {"gp2", "every EKS cluster has it; it needs the EBS CSI add-on"}},
    Row{"azure", "", {"managed-csi", comes_with}},
    Row{"gcp", "", {"standard-rwo", comes_with}},
    Row{"gcp", "pd-balanced", {"standard-rwo", comes_with}},
    Row{"gcp", "pd-ssd", {"premium-rwo", comes_with}},
    Row{"gcp",
        "hyperdisk-balanced",
        {"hyperdisk-balanced",
         "make it: provisioner pd.csi.storage.gke.io, parameters type: hyperdisk-balanced"}},
    Row{"gcp", "pd-standard", {"standard", comes_with}},
    Row{"oci", "", {"oci-bv", comes_with}},
    Row{"alibaba", "cloud_efficiency", {"alicloud-disk-efficiency", comes_with}},
    Row{"alibaba", "cloud_ssd", {"alicloud-disk-ssd", comes_with}},
};

}  // namespace

StorageClass storage_class(std::string_view provider, std::string_view disk) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& known) {
    return known.provider == provider && known.disk == disk;
  });
  if (row != rows.end()) {
    return row->known;
  }
  return disk.empty() ? StorageClass{"", "none is named: the cluster's default is taken"}
                      : StorageClass{disk, "clusters do not come with it: make it, or REPLACE"};
}

// AKS's managed-csi is of Standard SSDs, as slow as 60 MB/s
// (learn.microsoft.com/azure/virtual-machines/disks-types); other clouds' are as fast as they come.
StorageClass fast_storage_class(std::string_view provider) {
  return provider == "azure" ? StorageClass{"managed-csi-premium", comes_with}
                             : storage_class(provider, "");
}

}  // namespace rightsize
