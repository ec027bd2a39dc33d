// A file read and written past the page cache, several requests at a time: Linux's native
// asynchronous IO (io_submit(2)) on O_DIRECT, as fio's ioengine=libaio does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace rightsize {

class DirectFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class DirectFile {
 public:
  // Makes `path`, of `bytes`; removed with the object. Throws DirectFileError, naming what to do.
  DirectFile(const std::string& path, std::uint64_t bytes);
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;
  ~DirectFile();

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  struct Load {
    bool write = false;
    bool random = false;
    std::uint64_t block_bytes = 1 << 20;  // a multiple of 4096
    int depth = 8;                        // requests under way at a time
  };
  // Keeps `load.depth` requests going until `seconds` have passed; returns bytes per second.
  // Sequential loads go round and round the file. Throws DirectFileError.
  double run(const Load& load, double seconds);

  // Writes the whole file once, so that every block is really there. Throws DirectFileError.
  void fill();

 private:
  struct Queue;
  [[nodiscard]] std::uint64_t next_offset(const Load& load);

  int file_ = -1;
  std::string path_;
  std::uint64_t bytes_;
  std::uint64_t at_ = 0;
  std::uint64_t random_ = 88172645463325252ULL;
};

}  // namespace rightsize
