#include "profiler/measure/page_cache.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rightsize {
namespace {

namespace fs = std::filesystem;

std::uint64_t resident_bytes(int file, std::uint64_t size) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  void* map = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) {
    return 0;
  }
  std::vector<unsigned char> pages((size + page - 1) / page);
  std::uint64_t resident = 0;
  if (mincore(map, size, pages.data()) == 0) {
    for (const auto flags : pages) {
      resident += (flags & 1U) != 0 ? page : 0;
    }
  }
  munmap(map, size);
  return std::min(resident, size);
}

void drop_file(const fs::path& path, DropResult& result) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME);
  const int any = file >= 0 ? file : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (any < 0) {
    return;
  }
  const auto end = lseek(any, 0, SEEK_END);
  if (end > 0) {
    fdatasync(any);  // dirty pages cannot be dropped
    posix_fadvise(any, 0, 0, POSIX_FADV_DONTNEED);
    ++result.files;
    result.bytes += static_cast<std::uint64_t>(end);
    result.resident_bytes += resident_bytes(any, static_cast<std::uint64_t>(end));
  }
  close(any);
}

void fill_file(const fs::path& path, FillResult& result) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  std::vector<char> piece(std::size_t{1} << 20);
  std::uint64_t bytes = 0;
  for (ssize_t count = 0; (count = read(file, piece.data(), piece.size())) > 0;) {
    bytes += static_cast<std::uint64_t>(count);
  }
  result.bytes += bytes;
  result.resident_bytes += bytes > 0 ? resident_bytes(file, bytes) : 0;
  close(file);
}

// Every regular file under `path`, which may be one itself.
template <typename Visit>
void each_file(const std::string& path, Visit&& visit) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    visit(fs::path(path));
    return;
  }
  for (auto entry = fs::recursive_directory_iterator(path, error);
       !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) {
      visit(entry->path());
    }
  }
}

}  // namespace

DropResult drop_from_page_cache(const std::string& path) {
  DropResult result;
  each_file(path, [&](const fs::path& file) { drop_file(file, result); });
  return result;
}

FillResult fill_page_cache(const std::string& path) {
  FillResult result;
  each_file(path, [&](const fs::path& file) { fill_file(file, result); });
  return result;
}

}  // namespace rightsize
