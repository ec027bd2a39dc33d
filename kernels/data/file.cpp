#include "kernels/data/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace rightsize {

namespace {

// Bytes free for us where `path` is or will be; 0 when the file system does not say.
std::uint64_t free_bytes(const std::string& path) {
  std::error_code ignored;
  auto place = std::filesystem::absolute(path, ignored);
  while (!std::filesystem::exists(place, ignored) && place.has_relative_path()) {
    place = place.parent_path();
  }
  struct statvfs state {};
  return statvfs(place.c_str(), &state) == 0 ? std::uint64_t{state.f_bavail} * state.f_frsize : 0;
}

double megabytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

}  // namespace

File File::open(const std::string& path, const std::string& advice) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    throw DataError(fmt::format("cannot open {}: {}; {}", path, std::strerror(errno), advice));
  }
  return {fd, path};
}

File File::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw write_error(path, 0, errno);
  }
  return {fd, path};
}

File::File(File&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

std::uint64_t File::size() const {
  struct stat state {};
  if (::fstat(fd_, &state) != 0) {
    throw DataError(fmt::format("cannot stat {}: {}", path_, std::strerror(errno)));
  }
  return static_cast<std::uint64_t>(state.st_size);
}

void File::expect_random_reads() const {
  ::posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM);  // advice: a refusal changes nothing but speed
}

void File::read_at(std::uint64_t offset, std::span<std::byte> target) const {
  std::size_t done = 0;
  while (done < target.size()) {
    const auto at = offset + done;
    const auto got =
        ::pread(fd_, target.data() + done, target.size() - done, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw DataError(fmt::format("cannot read {} at byte {}: {}; check the disk (dmesg)",
                                  path_,
                                  at,
                                  std::strerror(errno)));
    }
    if (got == 0) {
      throw DataError(
          fmt::format("{} ends at byte {}, but {} more bytes should follow; it is "
                      "truncated: copy or make it again",
                      path_,
                      at,
                      target.size() - done));
    }
    done += static_cast<std::size_t>(got);
  }
}

void File::append(std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto put = ::write(fd_, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      throw write_error(path_, bytes.size() - done, errno);
    }
    done += static_cast<std::size_t>(put);
  }
}

void File::sync() {
  if (::fdatasync(fd_) != 0) {
    throw write_error(path_, 0, errno);
  }
}

std::span<const std::byte> read_file(const std::string& path, std::vector<std::byte>& storage) {
  const auto file = File::open(path, "was it removed after the dataset was opened?");
  const auto target = reserve_bytes(storage, file.size());
  file.read_at(0, target);
  return target;
}

DataError write_error(const std::string& path, std::uint64_t needed, int error) {
  // LMDB calls the short write at the end of a disk an I/O error.
  const bool full = error == EIO && free_bytes(path) < needed;
  if (full || error == ENOSPC || error == EDQUOT) {
    return DataError(fmt::format(
        "cannot write {}: no space left ({:.1f} MB free, at least {:.1f} MB needed); free some "
        "space there or choose another folder",
        path,
        megabytes(free_bytes(path)),
        megabytes(needed)));
  }
  return DataError(fmt::format("cannot write {}: {}; check that the folder exists and is yours",
                               path,
                               std::strerror(error)));
}

void require_space(const std::string& path, std::uint64_t needed) {
  if (free_bytes(path) < needed) {
    throw write_error(path, needed, ENOSPC);
  }
}

std::span<std::byte> reserve_bytes(std::vector<std::byte>& storage, std::size_t bytes) {
  if (storage.size() < bytes) {
    storage.resize(bytes + bytes / 4);
  }
  return std::span(storage).first(bytes);
}

}  // namespace rightsize
