#include "advisor/http/door.h"

#include <algorithm>

#include <doctest/doctest.h>

using namespace rightsize::http;

namespace {

Request asking(const std::string& target, const std::string& host = "127.0.0.1:8434") {
  Request request;
  request.method = "GET";
  request.target = target;
  request.host = host;
  return request;
}

unsigned status_of(const Door& door, const Request& request) {
  const auto away = door.turned_away(request, *read_target(request.target));
  return away ? away->status : 200;
}

}  // namespace

TEST_CASE("door: a token is wanted, in the address, in a header or in the browser's cookie") {
  const Door door{"secret", {}};
  auto request = asking("/advise?job=a.toml");
  CHECK(status_of(door, request) == 401);
  request.authorization = "Bearer secret";
  CHECK(status_of(door, request) == 200);
  request.authorization = "Bearer secre";
  CHECK(status_of(door, request) == 401);
  request.authorization = "Bearer secrets";
  CHECK(status_of(door, request) == 401);
  request.authorization = "";
  request.cookie = "theme=dark; rightsize-8434=secret; x=y";
  CHECK(status_of(door, request) == 200);
  request.cookie = "rightsize-8435=secret; notrightsize-8434=secret";  // another server's
  CHECK(status_of(door, request) == 401);
  CHECK(status_of(door, asking("/advise?token=secret")) == 200);
  CHECK(status_of(door, asking("/advise?token=")) == 401);
  CHECK(status_of({"", {}}, asking("/advise")) == 200);
}

TEST_CASE("door: a browser keeps the token and is sent to the address without it") {
  const Door door{"secret", {}};
  auto request = asking("/advise?token=secret&job=a%20b.toml");
  request.accept = "text/html,*/*;q=0.8";
  const auto away = door.turned_away(request, *read_target(request.target));
  REQUIRE(away);
  CHECK(away->status == 303);
  const auto header = [&](const std::string& name) {
    const auto found = std::find_if(
        away->headers.begin(), away->headers.end(), [&](const auto& h) { return h.first == name; });
    return found == away->headers.end() ? "" : found->second;
  };
  CHECK(header("Location") == "/advise?job=a%20b.toml");
  CHECK(header("Set-Cookie") == "rightsize-8434=secret; Path=/; HttpOnly; SameSite=Strict");
}

TEST_CASE("door: a name that was made to point here is turned away, token or not") {
  for (const auto& door : {Door{"", {}}, Door{"secret", {}}}) {
    CHECK(status_of(door, asking("/?token=secret", "evil.example:8434")) == 403);
    CHECK(status_of(door, asking("/?token=secret", "localhost.evil.example")) == 403);
    for (const auto* own : {"localhost", "localhost:8434", "127.0.0.1", "[::1]:8434", "[::1]"}) {
      CAPTURE(own);
      CHECK(status_of(door, asking("/?token=secret", own)) == 200);
    }
  }
  CHECK(status_of({"", {"sizing.example"}}, asking("/", "sizing.example:80")) == 200);
  CHECK(status_of({"secret", {"*"}}, asking("/?token=secret", "10.0.0.7:8434")) == 200);
}

TEST_CASE("door: no two tokens are the same") {
  const auto token = made_token();
  CHECK(token.size() == 32);
  CHECK(token.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(token != made_token());
  CHECK(is_token(token));
  for (const auto* none : {"", "a b", "a+b", "a&b", "a;b", "a\r\nSet-Cookie: x", "ü"}) {
    CHECK_FALSE(is_token(none));
  }
}
