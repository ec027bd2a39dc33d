// Writes a Network layer by layer, working out the shapes. Each call appends one layer and returns
// its index, to be handed to later calls; throws EngineError when shapes do not fit.
#pragma once

#include <string>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

// A square window; pooling and convolution round the output size down.
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t pad = 0;
  std::int64_t groups = 1;
};

class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, std::string title, FeatureShape input, int classes);

  [[nodiscard]] int input() const { return 0; }

  int convolution(
      const std::string& name, int from, std::int64_t channels, Window window, bool bias);
  int fully_connected(const std::string& name, int from, std::int64_t features);  // with bias
  int batch_norm(const std::string& name, int from);
  int relu(const std::string& name, int from);
  int max_pool(const std::string& name, int from, Window window);
  int average_pool(const std::string& name, int from, Window window);  // counts padding as zeros
  int global_average_pool(const std::string& name, int from);
  int local_response_norm(const std::string& name, int from);  // size 5, alpha 1e-4, beta 0.75
  int dropout(const std::string& name, int from, float rate);
  int add(const std::string& name, std::vector<int> from);

  // Appends the loss over `from` and gives the network away.
  [[nodiscard]] Network finish(int from);

 private:
  Layer& append(const std::string& name, LayerKind kind, std::vector<int> from);
  int windowed(const std::string& name, LayerKind kind, int from, Window window);
  [[nodiscard]] int last() const { return static_cast<int>(network_.layers.size()) - 1; }

  Network network_;
};

}  // namespace rightsize
