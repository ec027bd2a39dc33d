// Where the server listens.
#pragma once

#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace rightsize::http {

// `host` is an address; port 0: a free one. Throws std::runtime_error with the cause and the remedy
// where that cannot be.
[[nodiscard]] boost::asio::ip::tcp::acceptor listening_at(boost::asio::io_context& io,
                                                          const std::string& host,
                                                          unsigned short port);

}  // namespace rightsize::http
