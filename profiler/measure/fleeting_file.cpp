#include "profiler/measure/fleeting_file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace rightsize {

std::string readable_text(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return text;
  }
  std::array<char, 4096> chunk{};
  for (;;) {
    const auto count = read(file, chunk.data(), chunk.size());
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      close(file);
      return text;
    }
  }
}

}  // namespace rightsize
