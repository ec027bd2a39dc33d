#include "kernels/data/jpeg_folder.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/data/file.h"

namespace rightsize {

namespace {

namespace fs = std::filesystem;

bool is_jpeg(const fs::path& path) {
  auto extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return extension == ".jpg" || extension == ".jpeg";
}

std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (folders ? entry.is_directory() : entry.is_regular_file() && is_jpeg(entry.path())) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Of a folder without classes, which may have the pictures of one.
std::string no_classes(const std::string& folder) {
  const auto flat = sorted_entries(folder, false).size();
  return flat == 0 ? fmt::format(
                         "{} holds no JPEG files in sub-folders; give a folder with one "
                         "sub-folder per class",
                         folder)
                   : fmt::format(
                         "{} holds no JPEG files in sub-folders, which are the classes, but {} of "
                         "its own; move them into one for each class, or all into {}",
                         folder,
                         flat,
                         (fs::path(folder) / "all").string());
}

class JpegFolder final : public Dataset {
 public:
  explicit JpegFolder(const std::string& folder) {
    try {
      list(folder);
    } catch (const fs::filesystem_error& error) {
      throw DataError(fmt::format("cannot list {}: {}; give a folder with one sub-folder per class",
                                  folder,
                                  error.code().message()));
    }
    if (files_.empty()) {
      throw DataError(no_classes(folder));
    }
  }

  [[nodiscard]] std::size_t size() const override { return files_.size(); }
  [[nodiscard]] std::uint64_t stored_bytes() const override { return stored_bytes_; }
  [[nodiscard]] std::vector<std::string> files() const override { return files_; }
  [[nodiscard]] std::string where(std::size_t index) const override { return files_.at(index); }

  [[nodiscard]] Sample read(std::size_t index, std::vector<std::byte>& storage) const override {
    Sample sample;
    sample.bytes = read_file(files_.at(index), storage);
    sample.label = labels_[index];
    return sample;
  }

 private:
  void list(const fs::path& folder) {
    std::int32_t label = 0;
    for (const auto& class_folder : sorted_entries(folder, true)) {
      for (const auto& file : sorted_entries(class_folder, false)) {
        stored_bytes_ += fs::file_size(file);
        files_.push_back(file.string());
        labels_.push_back(label);
      }
      ++label;
    }
  }

  std::vector<std::string> files_;
  std::vector<std::int32_t> labels_;
  std::uint64_t stored_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Dataset> open_jpeg_folder(const std::string& folder) {
  return std::make_unique<JpegFolder>(folder);
}

bool is_jpeg_folder(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    for (fs::directory_iterator file(entry.path(), error), end; !error && file != end;
         file.increment(error)) {
      if (is_jpeg(file->path())) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace rightsize
