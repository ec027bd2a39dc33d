// A folder of its own for one test case, removed at the end, and small helpers around it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include <stdlib.h>

#include "kernels/data/dataset.h"
#include "kernels/data/jpeg.h"
#include "kernels/data/scene.h"

namespace rightsize::test {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "rightsize-data-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

using Bytes = std::vector<std::byte>;

inline Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) {
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

inline Bytes copy(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

inline void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline Bytes read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return copy(std::as_bytes(std::span(text)));
}

inline Bytes photo(std::uint64_t index, int quality = 90) {
  static const ScenePainter painter(3, 4);  // its textures take a while
  std::vector<std::uint8_t> pixels;
  return copy(
      JpegEncoder().encode(painter.paint(index, static_cast<int>(index % 4), pixels), quality));
}

// Items in memory; label = index. The first `photos` are photographs, five different ones.
class MemoryDataset final : public Dataset {
 public:
  explicit MemoryDataset(std::size_t photos = 0) {
    for (std::size_t i = 0; i < photos; ++i) {
      items.push_back(photo(i % 5));
    }
  }

  std::vector<Bytes> items;

  [[nodiscard]] std::size_t size() const override { return items.size(); }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return 0; }
  [[nodiscard]] std::vector<std::string> files() const override { return {}; }
  [[nodiscard]] Sample read(std::size_t index, std::vector<std::byte>&) const override {
    Sample sample;
    sample.bytes = items.at(index);
    sample.label = static_cast<std::int32_t>(index);
    return sample;
  }
};

}  // namespace rightsize::test
