// A file that closes itself and whose errors are whole sentences (DataError).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/data/dataset.h"

namespace rightsize {

// Owns a file descriptor, which must be closed exactly once: move-only.
class File {
 public:
  // `advice` ends the message when the file cannot be opened: what to try.
  [[nodiscard]] static File open(const std::string& path, const std::string& advice);
  [[nodiscard]] static File create(const std::string& path);  // replaces what is there
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const;

  // No read-ahead from now on: each read brings in what it asks for and nothing else.
  void expect_random_reads() const;

  // Fills `target` from byte `offset`; a short file is a DataError naming that offset.
  void read_at(std::uint64_t offset, std::span<std::byte> target) const;
  void append(std::span<const std::byte> bytes);
  void sync();  // to the disk, not only to the page cache

 private:
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;
};

// Reads a whole file into the front of `storage` (grown, never shrunk); returns the bytes read.
[[nodiscard]] std::span<const std::byte> read_file(const std::string& path,
                                                   std::vector<std::byte>& storage);

// The sentence for a write that failed with `error` (an errno): with a full disk it says how much
// is free, how much is needed, and what to do.
[[nodiscard]] DataError write_error(const std::string& path, std::uint64_t needed, int error);

// Throws write_error() when less than `needed` bytes are free where `path` is.
void require_space(const std::string& path, std::uint64_t needed);

// Grows `storage` to at least `bytes`; never shrinks, so that steady state does not allocate.
std::span<std::byte> reserve_bytes(std::vector<std::byte>& storage, std::size_t bytes);

}  // namespace rightsize
