// What a request asks for, as the command line that answers it: /advise?job=a.toml&infra=aws is
// `rightsize advise a.toml --infra aws`. The commands' own tables of flags say what there is.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/http/form.h"
#include "advisor/http/message.h"
#include "advisor/http/url.h"

namespace rightsize::http {

struct Question {
  std::string asked;                  // "advise", as the address has it
  std::string command;                // that answers it: the page of advise is that of report
  std::vector<std::string> words;     // behind it: "--infra=aws"
  std::string job;                    // a job file's text; empty where `words` name it, or none
  std::string job_name = "job.toml";  // in errors; of one of the folder its own
  Form form = Form::text;
  std::vector<Parameter> parameters;  // as asked, for addresses of the next question
};

// What the server was started with.
struct Premises {
  std::string folder = ".";              // of job files
  std::vector<std::string> own_flags{};  // "--prices=acme.csv": of every command that has it
  std::string store{};                   // of records; there need be none
};

// Nothing is here under this address.
class NotFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The commands that a request may ask: those that measure, write or talk to a terminal are not.
[[nodiscard]] std::span<const std::string_view> served_commands();

// Throws NotFound for another command; UsageError for a parameter that is neither a flag of the
// command nor a key of the job file, for one that would write a file, and for what names a file
// outside the folder.
[[nodiscard]] Question question_of(const Request& request,
                                   const Url& url,
                                   const Premises& premises);

}  // namespace rightsize::http
