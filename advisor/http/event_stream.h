// What goes over a connection beside answers: events until one side ends, and a refusal to whoever
// came when there were too many.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "advisor/http/measurements.h"

namespace rightsize::http {

// Server-sent events (WHATWG HTML, 9.2) of the runs that come into the store, looked for each
// second; where none come for a quarter of a minute a comment, which keeps those between awake and
// finds out that nobody listens. Until the connection fails; nothing but the head for HEAD.
[[nodiscard]] boost::asio::awaitable<void> tell_runs(boost::asio::ip::tcp::socket& socket,
                                                     const std::string& store,
                                                     Listening listening,
                                                     bool head_only);

// Sends the response without having read a request, and ends the connection within a second.
[[nodiscard]] boost::asio::awaitable<void> refuse(boost::asio::ip::tcp::socket socket,
                                                  Response response);

}  // namespace rightsize::http
