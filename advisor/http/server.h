// HTTP/1.1 around a site: one thread, a coroutine for each connection, a process for each answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "advisor/http/site.h"

namespace rightsize::http {

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address to listen at
  unsigned short port = 8434;      // 0: a free one
  std::size_t at_once = 2;         // answers; further ones wait for their turn
  std::size_t waiting = 32;        // so many of them; whoever asks then is told to come again
  std::size_t connections = 64;    // further ones are told so, too, and closed
  std::size_t listeners = 16;      // of events, among the connections
  std::chrono::seconds limit{60};  // after which an answer is given up
};

// A request that was answered, for a log.
struct Served {
  std::string method;
  std::string target;  // without a token
  unsigned status = 0;
  std::chrono::milliseconds took{0};
};

// Serves until SIGINT or SIGTERM. `ready` is told the port that is listened at. Throws
// std::runtime_error where that cannot be.
void serve(const Site& site,
           const ServerOptions& options,
           const std::function<void(unsigned short port)>& ready,
           const std::function<void(const Served&)>& served);

}  // namespace rightsize::http
