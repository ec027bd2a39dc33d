// The small data sets that are held in memory: MNIST's IDX files and CIFAR's binary version.
// Formats: yann.lecun.com/exdb/mnist ("The IDX file format") and
// www.cs.toronto.edu/~kriz/cifar.html ("Binary version").
#pragma once

#include <memory>
#include <string>

#include "kernels/data/dataset.h"

namespace rightsize {

// `folder` holds train-images-idx3-ubyte and train-labels-idx1-ubyte, as they come or still
// compressed (.gz). Samples are grey. Throws DataError.
[[nodiscard]] std::unique_ptr<Dataset> open_mnist(const std::string& folder);

// `folder` holds data_batch_1.bin ... (CIFAR-10) or train.bin (CIFAR-100, whose fine labels are
// taken). Samples are 3 x 32 x 32. Throws DataError.
[[nodiscard]] std::unique_ptr<Dataset> open_cifar(const std::string& folder);

}  // namespace rightsize
