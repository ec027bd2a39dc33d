// What a command line prints, both streams together, and how it ends: the program beside others, in
// processes of their own.
#pragma once

#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace rightsize::test {

struct Said {
  int code = 0;
  std::string out;
};

inline Said said_by(const std::string& command) {
  Said said;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
    said.out.append(buffer, n);
  }
  const int status = pclose(pipe);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return said;
}

}  // namespace rightsize::test
