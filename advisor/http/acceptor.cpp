#include "advisor/http/acceptor.h"

#include <stdexcept>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

namespace rightsize::http {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::acceptor listening_at(asio::io_context& io, const std::string& host, unsigned short port) {
  const auto where = fmt::format("{}:{}", host, port);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("--host {}: expected an address such as 127.0.0.1, 0.0.0.0 or ::1", host));
  }
  tcp::acceptor acceptor(io);
  const tcp::endpoint endpoint(address, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) {
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  }
  if (!error) {
    acceptor.bind(endpoint, error);
  }
  if (!error) {
    acceptor.listen(asio::socket_base::max_listen_connections, error);
  }
  if (error) {
    throw std::runtime_error(fmt::format(
        "{}: cannot listen there: {}; --port 0 takes a free port", where, error.message()));
  }
  return acceptor;
}

}  // namespace rightsize::http
