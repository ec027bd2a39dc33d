// The shared memory of one block: filled with NaN at first, fenced so that writes beyond a variable
// are found.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace rightsize::emulation {

inline constexpr std::size_t most_shared_bytes = 227 * 1024;  // of a block, compute capability 9.0
inline constexpr std::size_t plain_shared_bytes = 48 * 1024;  // without asking for more

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t dynamic_bytes);

  // The variable of that identity and line; made where the first thread asks for it.
  void* variable(const void* identity, unsigned line, std::size_t bytes);
  [[nodiscard]] void* dynamic() { return data(dynamic_); }

  // What is wrong with it, empty where nothing is: a fence that was written on, or too much asked.
  [[nodiscard]] std::string fault() const;

 private:
  struct Variable {
    const void* identity = nullptr;
    unsigned line = 0;
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> fenced;
  };
  static Variable make(const void* identity, unsigned line, std::size_t bytes);
  static void* data(const Variable& variable);

  Variable dynamic_;
  std::vector<Variable> variables_;
};

}  // namespace rightsize::emulation
