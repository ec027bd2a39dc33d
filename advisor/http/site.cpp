#include "advisor/http/site.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/http/pages.h"
#include "advisor/query/usage_error.h"
#include "profiler/store/database.h"

namespace rightsize::http {
namespace {

// "error: what" of a command's stderr, without the notes before it.
std::string error_of(const std::string& err) {
  const auto at = err.rfind("error: ");
  const bool begins_line = at != std::string::npos && (at == 0 || err[at - 1] == '\n');
  auto what = begins_line ? err.substr(at + 7) : err;
  while (what.ends_with('\n')) {
    what.pop_back();
  }
  return what.empty() ? "no reason was given" : what;
}

unsigned status_of(const Answered& answered) {
  switch (answered.code) {
    case cli::exit_ok:
      return 200;
    case cli::exit_usage:
      return 400;
    case cli::exit_nothing_satisfies:
      return answered.out.empty() ? 422 : 200;
    default:
      return answered.out.empty() ? 500 : 200;  // a check that failed has an answer
  }
}

// The text as a terminal shows it: what was noted on the way stands below.
std::string with_notes(const Answered& answered) {
  return answered.err.empty() ? answered.out : answered.out + "\n" + answered.err;
}

std::string body_of(const Question& question, const Answered& answered, const Premises& premises) {
  switch (question.form) {
    case Form::page:
      return answer_page(answered.out, question, premises);
    case Form::text_page:
      return text_page(with_notes(answered), question, premises);
    case Form::text:
      return with_notes(answered);
    case Form::json:
    case Form::jsonl:
    case Form::csv:
    case Form::markdown:
      return answered.out;
  }
  return answered.out;
}

Response with_retry(Response response) {
  response.headers.emplace_back("Retry-After", "5");  // seconds
  return response;
}

Form error_form(const Request& request, const Url& url) {
  for (const auto& [key, value] : url.parameters) {
    if (key == "o" || key == "output") {
      return form_named(value, "").form;
    }
  }
  return form_named("", request.accept).form;
}

}  // namespace

Response error_response(unsigned status, Form form, const std::string& what) {
  if (form == Form::json || form == Form::jsonl) {
    const boost::json::object document{{"schema", "rightsize/error/1"}, {"error", what}};
    return {status, media_type(Form::json), boost::json::serialize(document) + "\n"};
  }
  return {status, media_type(Form::text), "error: " + what + "\n"};
}

Response too_many(const std::string& what) {
  return with_retry(error_response(503, Form::text, what + ": try again in a while"));
}

void add_safety_headers(Response& response) {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
       "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
      {"Vary", "Accept, Cookie"}};
  response.headers.insert(response.headers.end(), all.begin(), all.end());
}

Site::Read Site::read(const Request& request) const {
  const auto url = read_target(request.target);
  if (!url) {
    return refusal(400, form_named("", request.accept).form, "the address cannot be read", {});
  }
  if (url->path == std::vector<std::string>{"healthz"}) {
    return Response{200, media_type(Form::text), "ok\n"};
  }
  if (auto away = door_.turned_away(request, *url)) {
    return std::move(*away);
  }
  try {
    return admitted(request, *url);
  } catch (const NotFound& error) {
    return refusal(404, error_form(request, *url), error.what(), {});
  } catch (const UsageError& error) {
    return refusal(400, error_form(request, *url), error.what(), url->parameters);
  }
}

Site::Read Site::measured(const Request& request, const Url& url) const {
  const auto form = error_form(request, url);
  try {
    auto said = measurements(url, form, request.last_event_id, premises_.store);
    if (auto* listening = std::get_if<Listening>(&said)) {
      return std::move(*listening);
    }
    return std::get<Response>(std::move(said));
  } catch (const StoreBusy& error) {
    return with_retry(refusal(503, form, error.what(), {}));
  } catch (const StoreError& error) {
    return refusal(500, form, error.what(), {});
  }
}

Response Site::refusal(unsigned status,
                       Form form,
                       const std::string& what,
                       std::span<const Parameter> parameters) const {
  return form == Form::page || form == Form::text_page
             ? Response{status,
                        media_type(Form::page),
                        error_page(status, what, parameters, premises_)}
             : error_response(status, form, what);
}

Site::Read Site::admitted(const Request& request, const Url& url) const {
  if (!url.path.empty() && url.path.front() == "measurements") {
    return measured(request, url);
  }
  if (!url.path.empty()) {
    return question_of(request, url, premises_);
  }
  const bool page = error_form(request, url) == Form::page;
  return Response{200,
                  media_type(page ? Form::page : Form::text),
                  page ? front_page(url.parameters, premises_) : front_text()};
}

Response Site::busy(const Question& question) const {
  return with_retry(refusal(503,
                            question.form,
                            "too many questions wait for their turn: ask again in a while",
                            question.parameters));
}

Response Site::answer(const Question& question, const Answered& answered) const {
  if (answered.given_up) {
    return refusal(503,
                   question.form,
                   "the answer took too long and was given up: ask for less of it",
                   question.parameters);
  }
  const auto status = status_of(answered);
  auto response =
      status == 200
          ? Response{200, media_type(question.form), body_of(question, answered, premises_)}
          : refusal(status, question.form, error_of(answered.err), question.parameters);
  response.headers.emplace_back("Rightsize-Exit-Code", std::to_string(answered.code));
  return response;
}

}  // namespace rightsize::http
