#include "pricing/import/utf8.h"

#include <algorithm>

#include <boost/locale/utf.hpp>

namespace rightsize {

bool is_utf8(std::string_view text) {
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    if (!boost::locale::utf::is_valid_codepoint(
            boost::locale::utf::utf_traits<char>::decode(at, end))) {
      return false;
    }
  }
  return true;
}

int first_line_not_utf8(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    if (!is_utf8(text.substr(0, end))) {
      return line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

}  // namespace rightsize
