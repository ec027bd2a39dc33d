#include <cstdio>

int main() {
  std::puts("rightsize " RIGHTSIZE_VERSION);
  return 0;
}
