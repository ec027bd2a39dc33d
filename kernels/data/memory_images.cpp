#include "kernels/data/memory_images.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <zlib.h>

#include "kernels/data/small_images.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t idx_images = 0x803;  // unsigned bytes, three dimensions
constexpr std::uint32_t idx_labels = 0x801;

constexpr std::size_t cifar_pixels = 3 * cifar_side * cifar_side;

constexpr std::size_t most_bytes = std::size_t{2} << 30;  // forty times MNIST

using Bytes = std::vector<std::byte>;

class GzFile {
 public:
  explicit GzFile(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) {
      throw DataError(fmt::format("cannot open {}; give the folder that holds it", path));
    }
  }
  GzFile(const GzFile&) = delete;
  GzFile& operator=(const GzFile&) = delete;
  ~GzFile() { gzclose_r(file_); }

  // The whole content, decompressed where it is compressed.
  [[nodiscard]] Bytes read_all() {
    constexpr std::size_t piece = std::size_t{1} << 20;
    Bytes bytes;
    while (bytes.size() <= most_bytes) {
      const auto filled = bytes.size();
      bytes.resize(filled + piece);
      const int got = gzread(file_, bytes.data() + filled, static_cast<unsigned>(piece));
      if (got < 0) {
        int code = 0;
        throw DataError(
            fmt::format("cannot read {}: {}; copy it again", path_, gzerror(file_, &code)));
      }
      bytes.resize(filled + static_cast<std::size_t>(got));
      if (got == 0) {
        return bytes;
      }
    }
    throw DataError(
        fmt::format("{} holds more than {} bytes, which no such data set has; is it "
                    "another file?",
                    path_,
                    most_bytes));
  }

 private:
  std::string path_;
  gzFile file_;
};

std::string plain_or_compressed(const std::string& path) {
  return fs::exists(path) || !fs::exists(path + ".gz") ? path : path + ".gz";
}

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  }
  return value;
}

// All pictures of one size in one block.
class MemoryImages final : public Dataset {
 public:
  MemoryImages(Encoding encoding, int channels, int height, int width)
      : encoding_(encoding),
        channels_(channels),
        height_(height),
        width_(width),
        item_bytes_(static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) *
                    static_cast<std::size_t>(width)) {}

  void add(std::span<const std::byte> pixels, std::int32_t label) {
    pixels_.insert(pixels_.end(), pixels.begin(), pixels.end());
    labels_.push_back(label);
  }
  void add_file(const std::string& path) {
    files_.push_back(path);
    stored_bytes_ += fs::file_size(path);
  }

  [[nodiscard]] std::size_t size() const override { return labels_.size(); }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return stored_bytes_; }
  [[nodiscard]] std::vector<std::string> files() const override { return files_; }
  [[nodiscard]] std::string where(std::size_t index) const override {
    return fmt::format("picture {} of {}", index, fs::path(files_.front()).parent_path().string());
  }
  [[nodiscard]] Sample read(std::size_t index, std::vector<std::byte>&) const override {
    const auto label = labels_.at(index);
    const auto pixels = std::span(pixels_).subspan(index * item_bytes_, item_bytes_);
    return {pixels, encoding_, label, channels_, height_, width_};
  }

 private:
  Encoding encoding_;
  int channels_;
  int height_;
  int width_;
  std::size_t item_bytes_;
  Bytes pixels_;
  std::vector<std::int32_t> labels_;
  std::vector<std::string> files_;
  std::uint64_t stored_bytes_ = 0;
};

// The content behind an IDX head of `dimensions` sizes, which are appended to `sizes`.
Bytes read_idx(const std::string& path,
               std::uint32_t magic,
               std::size_t dimensions,
               std::vector<std::size_t>& sizes) {
  auto bytes = GzFile(path).read_all();
  const auto head = 4 * (dimensions + 1);
  if (bytes.size() < head || big_endian(bytes, 0) != magic) {
    throw DataError(fmt::format("{}: not an IDX file of {} (magic {:#x} expected); copy it again",
                                path,
                                dimensions == 3 ? "pictures" : "labels",
                                magic));
  }
  std::size_t content = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    sizes.push_back(big_endian(bytes, 4 * (i + 1)));
    // Bounded before the product, which could otherwise wrap round to what is there.
    content = sizes.back() > most_bytes / std::max<std::size_t>(content, 1)
                  ? most_bytes + 1
                  : content * sizes.back();
  }
  if (bytes.size() - head != content) {
    throw DataError(fmt::format("{}: {} bytes announced at byte 4, {} are there; copy it again",
                                path,
                                content,
                                bytes.size() - head));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
  return bytes;
}

void add_cifar_file(MemoryImages& images, const std::string& path, std::size_t label_bytes) {
  const auto bytes = GzFile(path).read_all();
  const auto record = label_bytes + cifar_pixels;
  if (bytes.empty() || bytes.size() % record != 0) {
    throw DataError(fmt::format(
        "{}: {} bytes are no records of {}; copy it again", path, bytes.size(), record));
  }
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const auto label = std::to_integer<std::int32_t>(bytes[at + label_bytes - 1]);
    images.add(std::span(bytes).subspan(at + label_bytes, cifar_pixels), label);
  }
  images.add_file(path);
}

}  // namespace

std::unique_ptr<Dataset> open_mnist(const std::string& folder) {
  const auto image_path = plain_or_compressed(folder + "/train-images-idx3-ubyte");
  const auto label_path = plain_or_compressed(folder + "/train-labels-idx1-ubyte");
  std::vector<std::size_t> shape;
  std::vector<std::size_t> label_shape;
  const auto pixels = read_idx(image_path, idx_images, 3, shape);
  const auto labels = read_idx(label_path, idx_labels, 1, label_shape);
  if (shape[0] != label_shape[0] || shape[0] == 0) {
    throw DataError(fmt::format("{} holds {} pictures, {} holds {} labels; copy both again",
                                image_path,
                                shape[0],
                                label_path,
                                label_shape[0]));
  }
  auto images = std::make_unique<MemoryImages>(
      Encoding::raw_rgb_chw, 1, static_cast<int>(shape[1]), static_cast<int>(shape[2]));
  const auto item = shape[1] * shape[2];
  for (std::size_t i = 0; i < shape[0]; ++i) {
    images->add(std::span(pixels).subspan(i * item, item),
                std::to_integer<std::int32_t>(labels[i]));
  }
  images->add_file(image_path);
  images->add_file(label_path);
  return images;
}

std::unique_ptr<Dataset> open_cifar(const std::string& folder) {
  auto images = std::make_unique<MemoryImages>(Encoding::raw_rgb_chw, 3, cifar_side, cifar_side);
  if (fs::exists(folder + "/train.bin")) {  // CIFAR-100: a coarse label before the fine one
    add_cifar_file(*images, folder + "/train.bin", 2);
    return images;
  }
  for (int i = 1; fs::exists(fmt::format("{}/data_batch_{}.bin", folder, i)); ++i) {
    add_cifar_file(*images, fmt::format("{}/data_batch_{}.bin", folder, i), 1);
  }
  if (images->size() == 0) {
    throw DataError(
        fmt::format("{} holds neither data_batch_1.bin (CIFAR-10) nor train.bin "
                    "(CIFAR-100); give the folder that holds them",
                    folder));
  }
  return images;
}

}  // namespace rightsize
