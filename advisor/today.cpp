#include "advisor/today.h"

#include <ctime>

namespace rightsize {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string today() {
  constexpr std::size_t length_of_day = 10;
  return now_utc().substr(0, length_of_day);
}

}  // namespace rightsize
