#include "advisor/http/server.h"

#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <sys/socket.h>

#include "advisor/http/acceptor.h"
#include "advisor/http/answer_process.h"
#include "advisor/http/event_stream.h"
#include "advisor/http/places.h"

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
constexpr std::chrono::seconds first_request{15};             // of a connection that is new
constexpr auto quietly = asio::as_tuple(asio::use_awaitable);

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
          std::string(message["Last-Event-ID"]),
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

// Whoever is told of runs, and its place among those, which a reply on its way holds too.
struct Listener {
  Listening to;
  std::shared_ptr<Counted> place;
};
using Said = std::variant<Response, Listener>;

asio::awaitable<Said> respond(const Site& site,
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
  if (auto* listening = std::get_if<Listening>(&read)) {
    co_return Listener{std::move(*listening), nullptr};
  }
  const auto& question = std::get<Question>(read);
  const bool taken = co_await places.take();
  if (!taken) {
    co_return site.busy(question);
  }
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
        places_(executor, options.at_once, options.waiting),
        stop_(executor, asio::steady_timer::time_point::max()),
        served_(served) {}

  // A connection above the number is told so and not left unaccepted: whoever waits for a page, or
  // watches whether the server is well, is to hear why nothing comes.
  [[nodiscard]] asio::awaitable<void> accept(tcp::acceptor& acceptor) {
    while (true) {
      auto [error, socket] = co_await acceptor.async_accept(quietly);
      if (!error) {
        if (open_ < options_.connections) {
          asio::co_spawn(acceptor.get_executor(), until_stopped(std::move(socket)), asio::detached);
        } else if (refused_ < options_.connections) {  // even that only to so many at once
          asio::co_spawn(acceptor.get_executor(), turn_away(std::move(socket)), asio::detached);
        }
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
    const Counted open(open_);
    co_await (converse(std::move(socket)) || stop_.async_wait(quietly));
  }

  [[nodiscard]] asio::awaitable<void> turn_away(tcp::socket socket) {
    const Counted one(refused_);
    served_({"(refused)", "more connections than there may be", 503, {}});
    co_await refuse(std::move(socket), too_many("too many connections"));
  }

  // One request after another, until the other side has no more.
  [[nodiscard]] asio::awaitable<void> converse(tcp::socket socket) {
    using namespace asio::experimental::awaitable_operators;
    beast::tcp_stream stream(std::move(socket));
    beast::flat_buffer buffer;
    stream.expires_after(first_request);
    for (bool more = true; more;) {
      wire::request_parser<wire::string_body> parser;
      parser.body_limit(longest_job);
      parser.header_limit(longest_header);
      const auto [error, bytes] = co_await wire::async_read(stream, buffer, parser, quietly);
      if (error && !told_too_large(error)) {
        co_return;
      }
      stream.expires_never();
      more = !error && parser.get().keep_alive() && !crowded();
      auto answer = co_await (answered(parser.get(), error, more) || until_gone(stream.socket()));
      if (const auto* listener = std::get_if<Listener>(&answer)) {
        co_await tell(stream.socket(), listener->to, parser.get().method());
        co_return;
      }
      auto* message = std::get_if<wire::response<wire::string_body>>(&answer);
      if (message == nullptr) {
        co_return;  // nobody waits for it any more
      }
      stream.expires_after(idle);
      const auto [failed, sent] = co_await wire::async_write(stream, *message, quietly);
      more = more && !failed;
      stream.expires_after(idle);
    }
    beast::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  [[nodiscard]] asio::awaitable<void> tell(tcp::socket& socket,
                                           Listening listening,
                                           wire::verb method) {
    using namespace asio::experimental::awaitable_operators;
    co_await (
        tell_runs(
            socket, site_.premises().store, std::move(listening), method == wire::verb::head) ||
        until_gone(socket));
  }

  // Connections that wait for a next request give way where most of the places are taken.
  [[nodiscard]] bool crowded() const { return 4 * open_ > 3 * options_.connections; }

  static bool told_too_large(const boost::system::error_code& error) {
    return error == wire::error::body_limit || error == wire::error::header_limit;
  }

  [[nodiscard]] asio::awaitable<Said> said(const Request& request) {
    try {
      auto said = co_await respond(site_, options_, places_, request);
      if (auto* listener = std::get_if<Listener>(&said)) {
        if (listening_ >= options_.listeners) {
          co_return too_many("too many listen to events");
        }
        listener->place = std::make_shared<Counted>(listening_);
      }
      co_return said;
    } catch (const std::exception& what) {
      co_return error_response(500, Form::text, what.what());
    }
  }

  using Reply = std::variant<wire::response<wire::string_body>, Listener>;

  [[nodiscard]] asio::awaitable<Reply> answered(const wire::request<wire::string_body>& message,
                                                const boost::system::error_code& error,
                                                bool keep_alive) {
    const auto begin = Clock::now();
    const auto request = request_of(message);
    Said reply =
        error == wire::error::header_limit
            ? error_response(431, Form::text, "the address is too long: post the job file")
            : error_response(
                  413, Form::text, fmt::format("more than {} KiB were sent", longest_job / 1024));
    if (!error) {
      reply = co_await said(request);
    }
    auto* response = std::get_if<Response>(&reply);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    served_({request.method,
             without_token(request.target),
             response == nullptr ? 200 : response->status,
             took});
    if (response == nullptr) {
      co_return std::get<Listener>(std::move(reply));
    }
    co_return message_of(std::move(*response), request.method == "HEAD", keep_alive);
  }

  const Site& site_;
  const ServerOptions& options_;
  Places places_;
  std::size_t open_ = 0;
  std::size_t refused_ = 0;
  std::size_t listening_ = 0;
  asio::steady_timer stop_;  // never expires
  const std::function<void(const Served&)>& served_;
};

}  // namespace

void serve(const Site& site,
           const ServerOptions& options,
           const std::function<void(unsigned short port)>& ready,
           const std::function<void(const Served&)>& served) {
  asio::io_context io(1);
  auto acceptor = listening_at(io, options.host, options.port);
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
