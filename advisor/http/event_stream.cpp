#include "advisor/http/event_stream.h"

#include <array>
#include <chrono>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "advisor/http/site.h"
#include "profiler/store/database.h"

namespace rightsize::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::seconds between_looks{1};
constexpr int quiet_looks = 15;  // until a heartbeat
constexpr std::chrono::seconds longest_write{30};
constexpr auto quietly = asio::as_tuple(asio::use_awaitable);

// Status line and headers of a response that ends with its connection.
std::string head_of(Response response, const char* reason) {
  add_safety_headers(response);
  auto head = fmt::format(
      "HTTP/1.1 {} {}\r\nServer: rightsize {}\r\nContent-Type: {}\r\nConnection: close\r\n",
      response.status,
      reason,
      RIGHTSIZE_VERSION,
      response.type);
  for (const auto& [name, value] : response.headers) {
    head += fmt::format("{}: {}\r\n", name, value);
  }
  return head + "\r\n";
}

// False: the other side has gone, or takes nothing.
asio::awaitable<bool> written(tcp::socket& socket, const std::string& text) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer limit(socket.get_executor(), longest_write);
  const auto done = co_await (asio::async_write(socket, asio::buffer(text), quietly) ||
                              limit.async_wait(quietly));
  const auto* sent = std::get_if<0>(&done);
  co_return sent != nullptr && !std::get<0>(*sent);
}

// A store that cannot be read now may be in a while; why not, its page says.
std::string events_if_readable(const std::string& store, Listening& listening) {
  try {
    return events_since(store, listening);
  } catch (const StoreError&) {
    return "";
  }
}

}  // namespace

asio::awaitable<void> tell_runs(tcp::socket& socket,
                                const std::string& store,
                                Listening listening,
                                bool head_only) {
  // A proxy of nginx's would else keep the events back.
  const auto head =
      head_of({200, "text/event-stream; charset=utf-8", "", {{"X-Accel-Buffering", "no"}}}, "OK");
  const std::string begin = head + (head_only ? "" : "retry: 2000\n\n");
  bool open = co_await written(socket, begin);
  asio::steady_timer rest(socket.get_executor());
  for (int quiet = 0; open && !head_only;) {
    auto events = events_if_readable(store, listening);
    if (events.empty()) {
      rest.expires_after(between_looks);
      co_await rest.async_wait(asio::use_awaitable);
      events = ++quiet < quiet_looks ? "" : ": still here\n\n";
    }
    if (!events.empty()) {
      quiet = 0;
      open = co_await written(socket, events);
    }
  }
  boost::system::error_code ignored;
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> refuse(tcp::socket socket, Response response) {
  using namespace asio::experimental::awaitable_operators;
  response.headers.emplace_back("Content-Length", std::to_string(response.body.size()));
  const auto text = head_of(response, "Service Unavailable") + response.body;
  boost::system::error_code failed;
  socket.non_blocking(true, failed);
  socket.write_some(asio::buffer(text), failed);  // a fresh connection has room for so little
  socket.shutdown(tcp::socket::shutdown_send, failed);
  // What was asked is read and thrown away: closed before that, a connection loses what was sent.
  asio::steady_timer limit(socket.get_executor(), std::chrono::seconds(1));
  std::array<char, 4096> asked{};
  for (bool more = true; more;) {
    const auto done = co_await (socket.async_read_some(asio::buffer(asked), quietly) ||
                                limit.async_wait(quietly));
    const auto* read = std::get_if<0>(&done);
    more = read != nullptr && !std::get<0>(*read);
  }
}

}  // namespace rightsize::http
