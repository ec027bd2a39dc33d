// What execve(2) takes, made before fork: after it, only async-signal-safe calls are allowed.
#pragma once

#include <string>
#include <vector>

namespace rightsize {

// This process's environment with `variables` ("NAME=value") in place of those of their names.
[[nodiscard]] std::vector<std::string> environment_with(const std::vector<std::string>& variables);

// Into `words`, with the null pointer at the end; good for as long as they are left alone.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& words);

}  // namespace rightsize
