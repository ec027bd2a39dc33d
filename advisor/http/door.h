// Who may ask. The server listens to this machine alone unless it is told otherwise, but a page of
// anybody's in the user's browser reaches that too: it is kept out by a token, and where a name was
// made to point here (DNS rebinding) by the name that the browser asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/http/message.h"
#include "advisor/http/url.h"

namespace rightsize::http {

struct Door {
  std::string token;               // "": nobody is asked for one
  std::vector<std::string> names;  // of this server, beside localhost; "*": any

  // Why the request is turned away, or what its browser is to keep of its token; nullopt: come in.
  [[nodiscard]] std::optional<Response> turned_away(const Request& request, const Url& url) const;
};

// Letters, digits and - . _ ~ stand in an address, a header and a cookie alike.
[[nodiscard]] bool is_token(std::string_view text);

// 128 random bits in hexadecimal digits. Throws std::runtime_error where the system has none.
[[nodiscard]] std::string made_token();

}  // namespace rightsize::http
