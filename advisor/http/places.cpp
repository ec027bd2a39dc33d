#include "advisor/http/places.h"

#include <boost/asio/use_awaitable.hpp>

namespace rightsize::http {

// Whoever waits comes first: what is given back goes to them, and no free place is left to try.
boost::asio::awaitable<bool> Places::take() {
  if (taken_.try_send(boost::system::error_code())) {
    co_return true;
  }
  if (waiting_ >= most_waiting_) {
    co_return false;
  }
  const Counted waits(waiting_);
  co_await taken_.async_send(boost::system::error_code(), boost::asio::use_awaitable);
  co_return true;
}

void Places::give_back() {
  taken_.try_receive([](const boost::system::error_code&) {});
}

}  // namespace rightsize::http
