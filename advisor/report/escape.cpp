#include "advisor/report/escape.h"

#include <cctype>

#include <fmt/format.h>

namespace rightsize::report {

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string escape_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\n':
      case '\r':
        out += ' ';
        break;
      case '*':
      case '_':
      case '`':
      case '[':
      case ']':
      case '\\':
      case '~':  // two estimates in one line would strike out what is between them
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
  return out;
}

std::string data_uri(std::string_view media_type, std::string_view content) {
  std::string out = fmt::format("data:{};charset=utf-8,", media_type);
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~';
    out += plain && byte < 0x80 ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

}  // namespace rightsize::report
