// A request and a response as the site sees them: no socket, no library.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rightsize::http {

struct Request {
  std::string method;  // "GET"
  std::string target;  // "/advise?job=job.toml", as it was sent
  std::string host;
  std::string accept;
  std::string authorization;
  std::string cookie;
  std::string last_event_id;
  std::string body;
};

struct Response {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

}  // namespace rightsize::http
