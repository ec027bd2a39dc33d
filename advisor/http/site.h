// What is here and what it says: from a request to a question or straight to a response, and from
// an answer to a response. No sockets, no processes.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "advisor/http/answer_process.h"
#include "advisor/http/door.h"
#include "advisor/http/measurements.h"
#include "advisor/http/message.h"
#include "advisor/http/question.h"

namespace rightsize::http {

class Site {
 public:
  Site(Door door, Premises premises) : door_(std::move(door)), premises_(std::move(premises)) {}

  // A question that is to be worked out, who is to be told of runs as they come, or what needs no
  // work: the form, the runs there are, what is asked wrongly, who is turned away.
  using Read = std::variant<Question, Response, Listening>;
  [[nodiscard]] Read read(const Request& request) const;

  // 200 with an answer, also one that nothing satisfies; 400 wrong input; 422 nothing satisfies and
  // there is no answer to send; 503 given up; 500 what should not happen. The header
  // Rightsize-Exit-Code has the command's own.
  [[nodiscard]] Response answer(const Question& question, const Answered& answered) const;

  // Too many wait for their turn: to be asked again.
  [[nodiscard]] Response busy(const Question& question) const;

  [[nodiscard]] const Premises& premises() const { return premises_; }

 private:
  [[nodiscard]] Read admitted(const Request& request, const Url& url) const;
  [[nodiscard]] Read measured(const Request& request, const Url& url) const;
  [[nodiscard]] Response refusal(unsigned status,
                                 Form form,
                                 const std::string& what,
                                 std::span<const Parameter> parameters) const;

  Door door_;
  Premises premises_;
};

// An error for whoever is no browser: {"schema": "rightsize/error/1", "error": ...}, or
// "error: ...".
[[nodiscard]] Response error_response(unsigned status, Form form, const std::string& what);

// 503 with Retry-After: there are as many of something as there may be at once.
[[nodiscard]] Response too_many(const std::string& what);

// Headers that every response has: what comes from here runs no script of others', is framed by
// nobody and kept by nobody.
void add_safety_headers(Response& response);

}  // namespace rightsize::http
