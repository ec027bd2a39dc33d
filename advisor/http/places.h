// How much may go on at once: answers that are worked out, with a line of those that wait for one,
// and what is merely counted.
#pragma once

#include <cstddef>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>

namespace rightsize::http {

// One of what is counted, as long as it lives.
class Counted {
 public:
  explicit Counted(std::size_t& number) : number_(number) { ++number_; }
  ~Counted() { --number_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::size_t& number_;
};

// As many places as answers may be worked out at once, and a line before them of a certain length.
class Places {
 public:
  Places(const boost::asio::any_io_executor& executor, std::size_t places, std::size_t waiting)
      : taken_(executor, places), most_waiting_(waiting) {}

  // False: the line is full. Throws boost::system::system_error where whoever waits is given up.
  [[nodiscard]] boost::asio::awaitable<bool> take();
  void give_back();

 private:
  boost::asio::experimental::channel<void(boost::system::error_code)> taken_;
  std::size_t most_waiting_;
  std::size_t waiting_ = 0;
};

// A place that was taken, given back with this.
class Place {
 public:
  explicit Place(Places& places) : places_(places) {}
  ~Place() { places_.give_back(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Places& places_;
};

}  // namespace rightsize::http
