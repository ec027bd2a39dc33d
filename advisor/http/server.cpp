#include "advisor/http/server.h"

#include <cerrno>
#include <csignal>
#include <exception>
#include <stdexcept>
#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <sys/socket.h>

#include "advisor/http/answer_process.h"

namespace rightsize::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace wire = boost::beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_job = std::size_t{1} << 20;     // bytes of a body
constexpr std::size_t longest_header = std::size_t{1} << 16;  // an address may hold a job file
constexpr std::chrono::seconds idle{60};                      // a connection without a request
constexpr auto quietly = asio::as_tuple(asio::use_awaitable);

// As many places as answers may be worked out at once.
class Places {
 public:
  Places(const asio::any_io_executor& executor, std::size_t n) : taken_(executor, n) {}

  // Throws boost::system::system_error where whoever waits is given up.
  [[nodiscard]] asio::awaitable<void> take() {
    co_await taken_.async_send(boost::system::error_code(), asio::use_awaitable);
  }
  void give_back() {
    taken_.try_receive([](const boost::system::error_code&) {});
  }

 private:
  asio::experimental::channel<void(boost::system::error_code)> taken_;
};

class Place {
 public:
  explicit Place(Places& places) : places_(places) {}
  ~Place() { places_.give_back(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Places& places_;
};

// Until the other side has closed the connection; not while it has sent its next request already.
asio::awaitable<void> until_gone(tcp::socket& socket) {
  asio::steady_timer rest(socket.get_executor());
  while (true) {
    co_await socket.async_wait(tcp::socket::wait_read, asio::use_awaitable);
    char next = 0;
    const auto peeked = recv(socket.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
    if (peeked == 0 || (peeked < 0 && errno != EAGAIN && errno != EINTR)) {
      co_return;
    }
    rest.expires_after(std::chrono::milliseconds(200));
    co_await rest.async_wait(asio::use_awaitable);
  }
}

std::string field(const wire::request<wire::string_body>& message, wire::field name) {
  const auto value = message[name];
  return {value.data(), value.size()};
}

Request request_of(const wire::request<wire::string_body>& message) {
  return {std::string(message.method_string()),
          std::string(message.target()),
          field(message, wire::field::host),
          field(message, wire::field::accept),
          field(message, wire::field::authorization),
          field(message, wire::field::cookie),
          message.body()};
}

std::string without_token(const std::string& target) {
  const auto url = read_target(target);
  if (!url) {
    return "(unreadable)";
  }
  auto shown = *url;
  std::erase_if(shown.parameters, [](const Parameter& p) { return p.key == "token"; });
  return target_of(shown);
}

asio::awaitable<Response> respond(const Site& site,
                                  const ServerOptions& options,
                                  Places& places,
                                  const Request& request) {
  if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
    auto response = error_response(405, Form::text, request.method + ": ask by GET or POST");
    response.headers.emplace_back("Allow", "GET, HEAD, POST");
    co_return response;
  }
  auto read = site.read(request);
  if (auto* response = std::get_if<Response>(&read)) {
    co_return std::move(*response);
  }
  const auto& question = std::get<Question>(read);
  co_await places.take();
  const Place place(places);
  const auto answered = co_await answer_in_child(question, site.premises().folder, options.limit);
  co_return site.answer(question, answered);
}

wire::response<wire::string_body> message_of(Response response, bool head, bool keep_alive) {
  add_safety_headers(response);
  wire::response<wire::string_body> message(static_cast<wire::status>(response.status), 11);
  message.set(wire::field::server, "rightsize " RIGHTSIZE_VERSION);
  message.set(wire::field::content_type, response.type);
  for (const auto& [name, value] : response.headers) {
    message.set(name, value);
  }
  message.keep_alive(keep_alive);
  message.body() = std::move(response.body);
  message.prepare_payload();
  if (head) {
    message.body().clear();  // its length stays as it is told
  }
  return message;
}

class Connections {
 public:
  Connections(const Site& site,
              const ServerOptions& options,
              const asio::any_io_executor& executor,
              const std::function<void(const Served&)>& served)
      : site_(site),
        options_(options),
        places_(executor, options.at_once),
        stop_(executor, asio::steady_timer::time_point::max()),
        served_(served) {}

  [[nodiscard]] asio::awaitable<void> accept(tcp::acceptor& acceptor) {
    while (true) {
      auto [error, socket] = co_await acceptor.async_accept(quietly);
      if (!error) {
        asio::co_spawn(acceptor.get_executor(), until_stopped(std::move(socket)), asio::detached);
      } else if (error == asio::error::operation_aborted) {
        co_return;
      } else {  // no descriptor is left, as a rule: some will be
        asio::steady_timer rest(acceptor.get_executor(), std::chrono::milliseconds(100));
        co_await rest.async_wait(quietly);
      }
    }
  }

  // Ends every conversation, and with it the answers that are worked out for it.
  void stop() { stop_.cancel(); }

 private:
  [[nodiscard]] asio::awaitable<void> until_stopped(tcp::socket socket) {
    using namespace asio::experimental::awaitable_operators;
    co_await (converse(std::move(socket)) || stop_.async_wait(quietly));
  }

  // One request after another, until the other side has no more.
  [[nodiscard]] asio::awaitable<void> converse(tcp::socket socket) {
    using namespace asio::experimental::awaitable_operators;
    beast::tcp_stream stream(std::move(socket));
    beast::flat_buffer buffer;
    for (bool more = true; more;) {
      wire::request_parser<wire::string_body> parser;
      parser.body_limit(longest_job);
      parser.header_limit(longest_header);
      stream.expires_after(idle);
      const auto [error, bytes] = co_await wire::async_read(stream, buffer, parser, quietly);
      if (error && !told_too_large(error)) {
        co_return;
      }
      stream.expires_never();
      more = !error && parser.get().keep_alive();
      auto answer = co_await (answered(parser.get(), error, more) || until_gone(stream.socket()));
      auto* message = std::get_if<wire::response<wire::string_body>>(&answer);
      if (message == nullptr) {
        co_return;  // nobody waits for it any more
      }
      stream.expires_after(idle);
      const auto [failed, sent] = co_await wire::async_write(stream, *message, quietly);
      more = more && !failed;
    }
    beast::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  static bool told_too_large(const boost::system::error_code& error) {
    return error == wire::error::body_limit || error == wire::error::header_limit;
  }

  [[nodiscard]] asio::awaitable<wire::response<wire::string_body>> answered(
      const wire::request<wire::string_body>& message,
      const boost::system::error_code& error,
      bool keep_alive) {
    const auto begin = Clock::now();
    const auto request = request_of(message);
    Response response;
    if (error) {
      response =
          error == wire::error::header_limit
              ? error_response(431, Form::text, "the address is too long: post the job file")
              : error_response(
                    413, Form::text, fmt::format("more than {} KiB were sent", longest_job / 1024));
    } else {
      try {
        response = co_await respond(site_, options_, places_, request);
      } catch (const std::exception& what) {
        response = error_response(500, Form::text, what.what());
      }
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    served_({request.method, without_token(request.target), response.status, took});
    co_return message_of(std::move(response), request.method == "HEAD", keep_alive);
  }

  const Site& site_;
  const ServerOptions& options_;
  Places places_;
  asio::steady_timer stop_;  // never expires
  const std::function<void(const Served&)>& served_;
};

tcp::acceptor listening(asio::io_context& io, const ServerOptions& options) {
  const auto where = fmt::format("{}:{}", options.host, options.port);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options.host, error);
  if (error) {
    throw std::runtime_error(fmt::format(
        "--host {}: expected an address such as 127.0.0.1, 0.0.0.0 or ::1", options.host));
  }
  tcp::acceptor acceptor(io);
  const tcp::endpoint endpoint(address, options.port);
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

}  // namespace

void serve(const Site& site,
           const ServerOptions& options,
           const std::function<void(unsigned short port)>& ready,
           const std::function<void(const Served&)>& served) {
  asio::io_context io(1);
  auto acceptor = listening(io, options);
  asio::signal_set signals(io, SIGINT, SIGTERM);
  Connections connections(site, options, io.get_executor(), served);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) {
      acceptor.close();
      connections.stop();
    }
  });
  asio::co_spawn(io, connections.accept(acceptor), asio::detached);
  ready(acceptor.local_endpoint().port());
  io.run();
}

}  // namespace rightsize::http
