#include "profiler/baseline/direct_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/measure/clock.h"

namespace rightsize {
namespace {

constexpr std::size_t alignment = 4096;

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  const std::string hint = error == EINVAL   ? "; the filesystem has no direct IO (tmpfs?)"
                           : error == ENOSPC ? "; the disk is full"
                           : error == EACCES || error == EROFS ? "; the folder is read-only"
                                                               : "";
  throw DirectFileError(fmt::format("{}: {}: {}{}", path, what, std::strerror(error), hint));
}

}  // namespace

// Requests under way, each with its own buffer.
struct DirectFile::Queue {
  Queue(int depth, std::uint64_t block_bytes, const std::string& path)
      : requests(static_cast<std::size_t>(depth)), events(static_cast<std::size_t>(depth)) {
    if (syscall(SYS_io_setup, depth, &context) != 0) {
      fail("cannot queue requests", path, errno);
    }
    for (int i = 0; i < depth; ++i) {
      void* buffer = std::aligned_alloc(alignment, block_bytes);
      // Not zeros: some disks and hypervisors store those for free.
      std::memset(buffer, 0x5A + i, block_bytes);
      buffers.push_back(buffer);
    }
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    syscall(SYS_io_destroy, context);  // waits for what is under way
    for (void* buffer : buffers) {
      std::free(buffer);
    }
  }

  void submit(std::size_t slot, int file, const Load& load, std::uint64_t offset) {
    auto& request = requests[slot];
    request = {};
    request.aio_data = slot;
    request.aio_lio_opcode = load.write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
    request.aio_fildes = static_cast<std::uint32_t>(file);
    request.aio_buf = reinterpret_cast<std::uint64_t>(buffers[slot]);
    request.aio_nbytes = load.block_bytes;
    request.aio_offset = static_cast<std::int64_t>(offset);
    iocb* pointer = &request;
    if (syscall(SYS_io_submit, context, 1, &pointer) != 1) {
      throw DirectFileError(fmt::format("cannot submit a request: {}", std::strerror(errno)));
    }
    ++under_way;
  }

  // Waits for at least one; returns how many ended.
  std::size_t wait(std::uint64_t expected) {
    long count = 0;
    do {
      count = syscall(SYS_io_getevents, context, 1, events.size(), events.data(), nullptr);
    } while (count < 0 && errno == EINTR);
    for (long i = 0; i < count; ++i) {
      const auto result = events[static_cast<std::size_t>(i)].res;
      if (result != static_cast<std::int64_t>(expected)) {
        throw DirectFileError(
            result < 0
                ? fmt::format("a request failed: {}", std::strerror(static_cast<int>(-result)))
                : fmt::format("a request moved {} of {} bytes", result, expected));
      }
    }
    under_way -= static_cast<std::size_t>(std::max(count, 0L));
    return static_cast<std::size_t>(std::max(count, 0L));
  }

  aio_context_t context = 0;
  std::vector<iocb> requests;
  std::vector<io_event> events;
  std::vector<void*> buffers;
  std::size_t under_way = 0;
};

DirectFile::DirectFile(const std::string& path, std::uint64_t bytes)
    : path_(path), bytes_(bytes / alignment * alignment) {
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_DIRECT | O_CLOEXEC, 0600);
  if (file_ < 0) {
    fail("cannot make the file", path, errno);
  }
  // Gone as soon as it is closed, however this process ends.
  unlink(path.c_str());
  if (const int error = posix_fallocate(file_, 0, static_cast<off_t>(bytes_)); error != 0) {
    close(file_);
    fail(fmt::format("cannot reserve {} MiB", bytes_ >> 20), path, error);
  }
}

DirectFile::~DirectFile() {
  close(file_);
}

std::uint64_t DirectFile::next_offset(const Load& load) {
  const auto blocks = bytes_ / load.block_bytes;
  if (load.random) {
    // Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003.
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ % blocks * load.block_bytes;
  }
  const auto offset = at_ % blocks * load.block_bytes;
  ++at_;
  return offset;
}

double DirectFile::run(const Load& load, double seconds) {
  Queue queue(load.depth, load.block_bytes, path_);
  SteadyClock clock;
  const double begin_s = clock.now_s();
  for (int i = 0; i < load.depth; ++i) {
    queue.submit(static_cast<std::size_t>(i), file_, load, next_offset(load));
  }
  std::uint64_t done = 0;
  double now_s = begin_s;
  while (now_s - begin_s < seconds) {
    const auto ended = queue.wait(load.block_bytes);
    done += ended * load.block_bytes;
    for (std::size_t i = 0; i < ended; ++i) {
      queue.submit(queue.events[i].data, file_, load, next_offset(load));
    }
    now_s = clock.now_s();
  }
  while (queue.under_way > 0) {
    static_cast<void>(queue.wait(load.block_bytes));
  }
  return static_cast<double>(done) / (now_s - begin_s);
}

void DirectFile::fill() {
  Load load;
  load.write = true;
  Queue queue(load.depth, load.block_bytes, path_);
  const auto blocks = bytes_ / load.block_bytes;
  std::uint64_t next = 0;
  for (; next < std::min<std::uint64_t>(blocks, static_cast<std::uint64_t>(load.depth)); ++next) {
    queue.submit(next, file_, load, next * load.block_bytes);
  }
  while (queue.under_way > 0) {
    const auto ended = queue.wait(load.block_bytes);
    for (std::size_t i = 0; i < ended && next < blocks; ++i, ++next) {
      queue.submit(queue.events[i].data, file_, load, next * load.block_bytes);
    }
  }
  fsync(file_);
  at_ = 0;
}

}  // namespace rightsize
