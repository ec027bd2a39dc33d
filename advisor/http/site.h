// What is here and what it says: from a request to a question or straight to a response, and from
// an answer to a response. No sockets, no processes.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "advisor/http/answer_process.h"
#include "advisor/http/door.h"
#include "advisor/http/message.h"
#include "advisor/http/question.h"

namespace rightsize::http {

class Site {
 public:
  Site(Door door, Premises premises) : door_(std::move(door)), premises_(std::move(premises)) {}

  // A question that is to be worked out, or what needs no work: the form, what is asked wrongly,
  // who is turned away.
  [[nodiscard]] std::variant<Question, Response> read(const Request& request) const;

  // 200 with an answer, also one that nothing satisfies; 400 wrong input; 422 nothing satisfies and
  // there is no answer to send; 503 given up; 500 what should not happen. The header
  // Rightsize-Exit-Code has the command's own.
  [[nodiscard]] Response answer(const Question& question, const Answered& answered) const;

  [[nodiscard]] const Premises& premises() const { return premises_; }

 private:
  [[nodiscard]] std::variant<Question, Response> admitted(const Request& request,
                                                          const Url& url) const;
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

// Headers that every response has: what comes from here runs no script of others', is framed by
// nobody and kept by nobody.
void add_safety_headers(Response& response);

}  // namespace rightsize::http
