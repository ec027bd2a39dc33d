#include "advisor/http/door.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <sys/random.h>

namespace rightsize::http {
namespace {

// "localhost" of "localhost:8434", "[::1]" of "[::1]:8434".
std::string name_of(const std::string& host) {
  const auto colon = host.rfind(':');
  const bool in_address = colon != std::string::npos && host.find(']', colon) != std::string::npos;
  return colon == std::string::npos || in_address ? host : host.substr(0, colon);
}

// Of each server on this machine its own: cookies do not tell ports apart.
std::string cookie_name(const std::string& host) {
  const auto name = name_of(host);
  return "rightsize" + (name.size() < host.size() ? "-" + host.substr(name.size() + 1) : "") + "=";
}

// In a time that does not tell how much of it was right.
bool same(std::string_view a, std::string_view b) {
  unsigned differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differ |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return differ == 0;
}

std::string cookie_of(const std::string& header, const std::string& name) {
  for (std::size_t at = 0; at < header.size();) {
    const auto end = std::min(header.find(';', at), header.size());
    auto one = std::string_view(header).substr(at, end - at);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name)) {
      return std::string(one.substr(name.size()));
    }
    at = end + 1;
  }
  return "";
}

// To the same page without the token, which then stands in no history and no log.
Response kept_token(const Url& url, const std::string& cookie) {
  auto rest = url;
  std::erase_if(rest.parameters, [](const Parameter& p) { return p.key == "token"; });
  Response response{303, "text/plain; charset=utf-8", "", {}};
  response.headers = {{"Location", target_of(rest)},
                      {"Set-Cookie", cookie + "; Path=/; HttpOnly; SameSite=Strict"}};
  return response;
}

}  // namespace

std::optional<Response> Door::turned_away(const Request& request, const Url& url) const {
  static constexpr std::array<std::string_view, 4> own{"", "localhost", "127.0.0.1", "[::1]"};
  const auto name = name_of(request.host);
  const bool known = std::find(own.begin(), own.end(), name) != own.end() ||
                     std::any_of(names.begin(), names.end(), [&](const std::string& one) {
                       return one == "*" || one == name;
                     });
  if (!known) {
    return Response{403,
                    "text/plain; charset=utf-8",
                    fmt::format("error: this server is not called {}; start it with --name {} if "
                                "it is\n",
                                name,
                                name)};
  }
  if (token.empty()) {
    return std::nullopt;
  }
  const auto said = std::find_if(
      url.parameters.begin(), url.parameters.end(), [](const auto& p) { return p.key == "token"; });
  if (said != url.parameters.end() && same(said->value, token)) {
    return request.accept.find("text/html") == std::string::npos
               ? std::nullopt
               : std::optional(kept_token(url, cookie_name(request.host) + token));
  }
  if (same(request.authorization, "Bearer " + token) ||
      same(cookie_of(request.cookie, cookie_name(request.host)), token)) {
    return std::nullopt;
  }
  return Response{401,
                  "text/plain; charset=utf-8",
                  "error: a token is wanted: open the address that rightsize serve printed, or "
                  "send the header Authorization: Bearer TOKEN\n",
                  {{"WWW-Authenticate", "Bearer"}}};
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._~").find(c) != std::string_view::npos;
  });
}

std::string made_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the system gives no random numbers for a token");
  }
  std::string token;
  for (const auto byte : bytes) {
    token += fmt::format("{:02x}", byte);
  }
  return token;
}

}  // namespace rightsize::http
