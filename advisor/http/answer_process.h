// A question worked out in a process of its own: many at once, each with a time after which it is
// given up, and none of them able to write a file. The server has one thread, so forking it is
// safe, and a child begins with the tables that the server has read.
#pragma once

#include <chrono>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "advisor/http/question.h"

namespace rightsize::http {

struct Answered {
  int code = 0;  // cli::ExitCode
  std::string out;
  std::string err;
  bool given_up = false;
};

// Runs the command in `folder`. Throws std::runtime_error where no process can be started.
[[nodiscard]] boost::asio::awaitable<Answered> answer_in_child(const Question& question,
                                                               const std::string& folder,
                                                               std::chrono::seconds limit);

}  // namespace rightsize::http
