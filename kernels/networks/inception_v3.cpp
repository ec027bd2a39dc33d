// Inception-v3: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", CVPR
// 2016, table 1 and figures 5-7, in the form whose weights were published (TensorFlow slim, Keras,
// torchvision): 299x299 input, batch normalisation with epsilon 1e-3 after every convolution. The
// auxiliary classifier is left out; 23 834 568 parameters are what is published without it.
#include <string>
#include <utility>
#include <vector>

#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {
namespace {

constexpr WindowHw one{};
constexpr WindowHw three{.kernel_h = 3, .kernel_w = 3};
constexpr WindowHw three_same{.kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1};
constexpr WindowHw three_halving{.kernel_h = 3, .kernel_w = 3, .stride_h = 2, .stride_w = 2};
constexpr WindowHw five_same{.kernel_h = 5, .kernel_w = 5, .pad_h = 2, .pad_w = 2};
constexpr WindowHw row_of_seven{.kernel_w = 7, .pad_w = 3};
constexpr WindowHw column_of_seven{.kernel_h = 7, .pad_h = 3};
constexpr WindowHw row_of_three{.kernel_w = 3, .pad_w = 1};
constexpr WindowHw column_of_three{.kernel_h = 3, .pad_h = 1};
constexpr Window pool_halving{.kernel = 3, .stride = 2};

// Appends convolutions, normalised and rectified, to one branch after the other of a block.
class Branches {
 public:
  Branches(NetworkBuilder& net, std::string block, int from)
      : net_(net), block_(std::move(block)), from_(from) {}

  int conv(const char* name, int from, std::int64_t channels, const WindowHw& window) {
    const auto full = block_ + "_" + name;
    const int x = net_.convolution_hw(full, from, channels, window, false);
    return net_.relu(full + "_relu", net_.batch_norm(full + "_bn", x, 1e-3F));
  }
  int conv(const char* name, std::int64_t channels, const WindowHw& window) {
    return conv(name, from_, channels, window);
  }
  int pooled(std::int64_t channels) {
    const int pool = net_.average_pool(block_ + "_average", from_, {.kernel = 3, .pad = 1});
    return conv("pool", pool, channels, one);
  }
  int max_pool() { return net_.max_pool(block_ + "_max", from_, pool_halving); }
  int concat(std::vector<int> ends) { return net_.concat(block_ + "_output", std::move(ends)); }

 private:
  NetworkBuilder& net_;
  std::string block_;
  int from_;
};

// Figure 5, at 35x35: the 5x5 convolution kept, another as two 3x3.
int block_35(NetworkBuilder& net, const char* name, int from, std::int64_t pool_channels) {
  Branches b(net, name, from);
  const int single = b.conv("1x1", 64, one);
  const int wide = b.conv("5x5", b.conv("5x5_reduce", 48, one), 64, five_same);
  int twice = b.conv("3x3_reduce", 64, one);
  twice = b.conv("3x3_1", twice, 96, three_same);
  twice = b.conv("3x3_2", twice, 96, three_same);
  return b.concat({single, wide, twice, b.pooled(pool_channels)});
}

// 35x35 -> 17x17.
int reduce_35(NetworkBuilder& net, const char* name, int from) {
  Branches b(net, name, from);
  const int once = b.conv("3x3", 384, three_halving);
  int twice = b.conv("3x3_reduce", 64, one);
  twice = b.conv("3x3_1", twice, 96, three_same);
  twice = b.conv("3x3_2", twice, 96, three_halving);
  return b.concat({once, twice, b.max_pool()});
}

// Figure 6, at 17x17: 7x7 convolutions as rows and columns of seven.
int block_17(NetworkBuilder& net, const char* name, int from, std::int64_t width) {
  Branches b(net, name, from);
  const int single = b.conv("1x1", 192, one);
  int once = b.conv("7x7_reduce", width, one);
  once = b.conv("7x7_row", once, width, row_of_seven);
  once = b.conv("7x7_column", once, 192, column_of_seven);
  int twice = b.conv("7x7dbl_reduce", width, one);
  twice = b.conv("7x7dbl_column_1", twice, width, column_of_seven);
  twice = b.conv("7x7dbl_row_1", twice, width, row_of_seven);
  twice = b.conv("7x7dbl_column_2", twice, width, column_of_seven);
  twice = b.conv("7x7dbl_row_2", twice, 192, row_of_seven);
  return b.concat({single, once, twice, b.pooled(192)});
}

// 17x17 -> 8x8.
int reduce_17(NetworkBuilder& net, const char* name, int from) {
  Branches b(net, name, from);
  const int small = b.conv("3x3", b.conv("3x3_reduce", 192, one), 320, three_halving);
  int large = b.conv("7x7_reduce", 192, one);
  large = b.conv("7x7_row", large, 192, row_of_seven);
  large = b.conv("7x7_column", large, 192, column_of_seven);
  large = b.conv("7x7_3x3", large, 192, three_halving);
  return b.concat({small, large, b.max_pool()});
}

// Figure 7, at 8x8: the 3x3 convolutions spread into a row and a column side by side.
int block_8(NetworkBuilder& net, const char* name, int from) {
  Branches b(net, name, from);
  const int single = b.conv("1x1", 320, one);
  const int once = b.conv("3x3_reduce", 384, one);
  const int once_row = b.conv("3x3_row", once, 384, row_of_three);
  const int once_column = b.conv("3x3_column", once, 384, column_of_three);
  const int twice = b.conv("3x3dbl", b.conv("3x3dbl_reduce", 448, one), 384, three_same);
  const int twice_row = b.conv("3x3dbl_row", twice, 384, row_of_three);
  const int twice_column = b.conv("3x3dbl_column", twice, 384, column_of_three);
  return b.concat({single, once_row, once_column, twice_row, twice_column, b.pooled(192)});
}

int stem(NetworkBuilder& net) {
  Branches b(net, "stem", net.input());
  int x = b.conv("1a", 32, three_halving);
  x = b.conv("2a", x, 32, three);
  x = b.conv("2b", x, 64, three_same);
  x = net.max_pool("stem_max_1", x, pool_halving);
  x = b.conv("3b", x, 80, one);
  x = b.conv("4a", x, 192, three);
  return net.max_pool("stem_max_2", x, pool_halving);
}

}  // namespace

Network make_inception_v3() {
  NetworkBuilder net("inception-v3", "Inception-v3", {3, 299, 299}, 1000);
  int x = stem(net);
  x = block_35(net, "mixed_5b", x, 32);
  x = block_35(net, "mixed_5c", x, 64);
  x = block_35(net, "mixed_5d", x, 64);
  x = reduce_35(net, "mixed_6a", x);
  x = block_17(net, "mixed_6b", x, 128);
  x = block_17(net, "mixed_6c", x, 160);
  x = block_17(net, "mixed_6d", x, 160);
  x = block_17(net, "mixed_6e", x, 192);
  x = reduce_17(net, "mixed_7a", x);
  x = block_8(net, "mixed_7b", x);
  x = block_8(net, "mixed_7c", x);
  x = net.dropout("drop", net.global_average_pool("pool", x), 0.5F);
  return net.finish(net.fully_connected("fc", x, 1000));
}

}  // namespace rightsize
