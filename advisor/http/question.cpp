#include "advisor/http/question.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/flags.h"
#include "advisor/http/asked_job.h"
#include "advisor/http/served_folder.h"
#include "advisor/query/toml_fields.h"
#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"

namespace rightsize::http {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> served{"advise",
                                                  "explain",
                                                  "what-if",
                                                  "compare",
                                                  "predict",
                                                  "size",
                                                  "simulate",
                                                  "export",
                                                  "report",
                                                  "prices",
                                                  "gpus",
                                                  "networks"};

// Of commands whose first place is no job: /prices/list, /gpus/A100.
constexpr std::array<std::string_view, 3> by_path{"prices", "gpus", "networks"};

constexpr std::array<std::string_view, 6> writing{"out-file", "html", "md", "csv", "json", "trace"};

// Of the server and not of the command: who asks, a job file's text, and the form of the answer.
constexpr std::array<std::string_view, 5> of_server{"token", "toml", "job", "o", "output"};

template <typename Names>
bool among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Parameter* said(const std::vector<Parameter>& parameters, std::string_view key) {
  const auto found = std::find_if(
      parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.key == key; });
  return found == parameters.end() ? nullptr : &*found;
}

// What -o says, "" where nothing: by its own name in forms of our page, by the command's elsewhere.
std::string output_of(const std::vector<Parameter>& parameters) {
  const auto* output = said(parameters, "output");
  output = output != nullptr ? output : said(parameters, "o");
  return output == nullptr ? "" : output->value;
}

// The word of the command line that a parameter is; nullopt where it says nothing.
std::optional<std::string> word_of(const Parameter& parameter,
                                   const std::string& command,
                                   const std::vector<cli::Flag>& options) {
  if (among(writing, parameter.key)) {
    throw UsageError(fmt::format("{}: the server writes no files; the answer is what is sent back",
                                 parameter.key));
  }
  // supposed.vcpus=+8 of a form is supposed=vcpus=+8.
  const auto dot = parameter.key.find('.');
  const auto name = parameter.key.substr(0, dot);
  const auto rest = dot == std::string::npos ? "" : parameter.key.substr(dot + 1) + "=";
  const auto option = std::find_if(options.begin(), options.end(), [&](const cli::Flag& flag) {
    return flag.name == "--" + name && (rest.empty() || name == "supposed");
  });
  if (option == options.end()) {
    std::vector<std::string> names;
    for (const auto& one : options) {
      names.push_back(one.name.substr(2));
    }
    for (const auto& key : job_keys()) {
      names.push_back(dotted(key));
    }
    const auto near = nearest_word(parameter.key, names);
    throw UsageError(fmt::format("{}: neither a flag of {} nor a key of a job file{}",
                                 parameter.key,
                                 command,
                                 near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  if (!option->takes_value) {
    return parameter.value == "false" ? std::nullopt : std::optional(option->name);
  }
  if (parameter.value.empty()) {  // a field of a form that was left blank
    return std::nullopt;
  }
  check_inside(parameter.value, parameter.key);
  return option->name + "=" + rest + parameter.value;
}

// What was posted: fields of a form of ours, or a job file, whatever its type is said to be: curl
// says that all it sends are forms.
void add_body(std::vector<Parameter>& parameters, const std::string& body) {
  const bool form = body.find_first_of("\n[ \"") == std::string::npos;  // these are encoded there
  if (!form) {
    parameters.push_back({"toml", body});
    return;
  }
  const auto fields = read_form(body);
  if (!fields) {
    throw UsageError("the form that was posted cannot be read");
  }
  parameters.insert(parameters.end(), fields->begin(), fields->end());
}

// The job that is described; the one of the folder is read only where something is put on top.
void take_job(Question& question, const Premises& premises) {
  const auto* sent = said(question.parameters, "toml");
  const auto* named = said(question.parameters, "job");
  const auto jobs = std::count_if(
      question.parameters.begin(), question.parameters.end(), [](const Parameter& parameter) {
        return parameter.key == "job" && !parameter.value.empty();
      });
  if (jobs > 1) {
    throw UsageError("job: said more than once; further jobs of a plan are jobs=, each by itself");
  }
  const bool more =
      std::any_of(question.parameters.begin(), question.parameters.end(), [](const Parameter& p) {
        return job_key_named(p.key) != nullptr && !p.value.empty();
      });
  const bool both = sent != nullptr && !sent->value.empty() && named != nullptr;
  if (both && !named->value.empty()) {
    throw UsageError("job: a job file was sent along too; leave one of them out");
  }
  if (sent != nullptr && !sent->value.empty()) {
    question.job = job_with(sent->value, "job.toml", question.parameters);
  } else if (named != nullptr && !named->value.empty()) {
    check_inside((named->value), "job");
    if (!more) {
      question.words.insert(question.words.begin(), "--job=" + named->value);
      return;
    }
    const auto path = fs::path(premises.folder) / named->value;
    question.job = job_with(read_text_file(path.string()), named->value, question.parameters);
    question.job_name = named->value;
  } else if (more) {
    question.job = job_with("", "job.toml", question.parameters);
  } else if (question.asked == "advise" && said(question.parameters, "help") == nullptr) {
    throw UsageError(
        "which job? say its network and how much there is to do (job.network, data.items), choose "
        "a job file (job), or send one");
  }
  check_job_inside(question.job);
}

// Whether the flag that a word begins with, "--infra=aws", is one of these.
bool has(const std::vector<cli::Flag>& options, const std::string& word) {
  return std::any_of(options.begin(), options.end(), [&](const cli::Flag& flag) {
    return flag.name == word.substr(0, word.find('='));
  });
}

// Flags of the operator's, where the command has them.
void add_own(Question& question, const Premises& premises, const std::vector<cli::Flag>& options) {
  for (const auto& word : premises.own_flags) {
    if (has(options, word)) {
      question.words.push_back(word);
    }
  }
}

// The page of an answer is that of `report`, which takes fewer flags.
bool has_report(const Question& question) {
  const auto options = cli::options_of("report");
  return std::all_of(question.words.begin(), question.words.end(), [&](const std::string& word) {
    return has(options, word);
  });
}

// The form of the answer, and what tells the command so.
void take_form(Question& question, const Request& request, const std::vector<cli::Flag>& options) {
  const auto output = output_of(question.parameters);
  const auto form = form_named(output, request.accept);
  question.form = form.form;
  const bool help = said(question.parameters, "help") != nullptr;
  if (help) {
    question.form = question.form == Form::page ? Form::text_page : Form::text;
    return;
  }
  if (question.form == Form::page && question.command == "advise" && has_report(question)) {
    question.command = "report";
  }
  if (question.command == "report") {  // it has no table
    question.form = question.form == Form::text ? Form::markdown : question.form;
    question.words.push_back(
        fmt::format("--output={}", form.form == Form::text ? "md" : form.name));
  } else if (question.form == Form::page) {
    question.form = Form::text_page;
  } else if (!output.empty()) {
    question.words.push_back("--output=" + output);
  } else if (question.form != Form::text && has(options, "--output")) {
    question.words.push_back(fmt::format("--output={}", form.name));
  }
}

// The words by the path, as /prices/list has them; of commands about a job there are none.
void take_path(Question& question, const Url& url) {
  if (url.path.size() > 1 && !among(by_path, question.command)) {
    throw NotFound(fmt::format(
        "nothing is at /{}; /{} takes parameters", fmt::join(url.path, "/"), question.command));
  }
  for (std::size_t i = 1; i < url.path.size(); ++i) {
    check_inside((url.path[i]), question.command);
    if (url.path[i].starts_with('-')) {
      throw UsageError(
          url.path[i] + ": flags are parameters, as in ?" +
          url.path[i].substr(std::min(url.path[i].find_first_not_of('-'), url.path[i].size())) +
          "=");
    }
    question.words.push_back(url.path[i]);
  }
  if (question.command == "prices") {
    if (url.path.size() == 1) {
      question.words.emplace_back("list");
    } else if (url.path[1] != "list" && url.path[1] != "show") {
      throw NotFound("of price tables there are /prices/list and /prices/show?infra=aws&gpu=L4");
    }
  }
}

}  // namespace

std::span<const std::string_view> served_commands() {
  return served;
}

Question question_of(const Request& request, const Url& url, const Premises& premises) {
  Question question;
  question.asked = url.path.empty() ? "" : url.path.front();
  question.command = question.asked;
  if (!among(served, question.command)) {
    throw NotFound(fmt::format("nothing is at /{}; there are {}, measurements, and / with a form",
                               fmt::join(url.path, "/"),
                               fmt::join(served, ", ")));
  }
  question.parameters = url.parameters;
  if (!request.body.empty()) {
    add_body(question.parameters, request.body);
  }
  const auto options = cli::options_of(question.command);
  take_path(question, url);
  for (const auto& parameter : question.parameters) {
    const bool of_job = has(options, "--job") && !has(options, "--" + parameter.key) &&
                        job_key_named(parameter.key) != nullptr;
    if (among(of_server, parameter.key) || of_job) {
      continue;
    }
    if (auto word = word_of(parameter, question.command, options)) {
      question.words.push_back(std::move(*word));
    }
  }
  if (has(options, "--job")) {
    take_job(question, premises);
  }
  add_own(question, premises, options);
  take_form(question, request, options);
  std::erase_if(question.parameters, [](const Parameter& p) {
    return p.key == "token" || p.key == "o" || p.key == "output" || p.value.empty();
  });
  return question;
}

}  // namespace rightsize::http
