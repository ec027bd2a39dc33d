#include "kernels/data/dataset.h"

#include <fmt/format.h>

#include "kernels/data/jpeg_folder.h"
#include "kernels/data/lmdb_database.h"
#include "kernels/data/memory_images.h"
#include "kernels/data/recordio.h"
#include "kernels/data/tfrecord.h"

namespace rightsize {

std::string Dataset::where(std::size_t index) const {
  return fmt::format("item {}", index);
}

std::unique_ptr<Dataset> open_dataset(DataFormat format,
                                      const std::string& path,
                                      AccessOrder order) {
  switch (format) {
    case DataFormat::jpeg:
      return open_jpeg_folder(path);
    case DataFormat::recordio:
      return open_recordio(path, order);
    case DataFormat::lmdb:
      return open_lmdb(path);  // keeps read-ahead: without it a map faults in 4 KiB steps
    case DataFormat::synthetic:
      break;
    case DataFormat::tfrecord:
      return open_tfrecord(path, order);
    case DataFormat::mnist:
      return open_mnist(path);
    case DataFormat::cifar:
      return open_cifar(path);
    case DataFormat::tokens:
      throw DataError(path + " holds tokens, not pictures; take a network that reads tokens");
  }
  throw DataError("synthetic data has no files to open; choose another format");
}

}  // namespace rightsize
