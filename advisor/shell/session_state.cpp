// What a session remembers, and what it makes of a line with that.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/evidence.h"
#include "advisor/shell/session.h"
#include "advisor/shell/words.h"
#include "profiler/command/user_command.h"

namespace rightsize::shell {
namespace {

// Those that name an option by its rank rather than by an instance.
bool takes_rank(const std::string& command) {
  return command == "export" || command == "verify";
}

bool takes_job(const std::string& command) {
  return command == "predict" || command == "size" || command == "simulate";
}

// "explain job.toml", "advise --help": that needs no job of the session.
bool names_job(const std::vector<std::string>& words) {
  return std::any_of(words.begin() + 1, words.end(), [](const std::string& word) {
    return word.ends_with(".toml") || word.ends_with(".json") || word == "--help" || word == "-h";
  });
}

std::string stem(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

}  // namespace

void Session::adopt(State state) {
  if (!state.job.empty()) {
    static_cast<void>(cli::query_from(values_of(state)));
  }
  if (state.job != state_.job || state.settings != state_.settings) {
    rows_.clear();  // their numbers stood for another question's answer
  }
  past_.push_back(std::move(state_));
  state_ = std::move(state);
}

cli::Values Session::values_of(const State& state) const {
  cli::Options options("options");
  cli::add_query_options(options);
  cli::add_model_option(options);
  auto arguments = flags_of(state);
  arguments.insert(arguments.begin(), state.job);
  return cli::parse(context_, "advise", options, {"job"}, arguments);
}

Session::Words Session::flags_of(const State& state) const {
  cli::Options options("options");
  cli::add_query_options(options);
  Words flags;
  for (const auto& [key, values] : state.settings) {
    const bool bare = options.find(key, false).semantic()->max_tokens() == 0;
    for (const auto& value : values) {
      flags.push_back("--" + key);
      if (!bare) {
        flags.push_back(value);
      }
    }
  }
  return flags;
}

const Session::Row& Session::row(const std::string& number) const {
  const auto index = number.size() > 6 ? 0 : std::stoul(number);
  if (index < 1 || index > rows_.size()) {
    throw UsageError(rows_.empty()
                         ? fmt::format("{}: there is no table yet; advise makes one", number)
                         : fmt::format("{}: the last table has {} rows", number, rows_.size()));
  }
  return rows_[index - 1];
}

// The job, the settings, and instances for numbers, where the command takes them.
Session::Words Session::with_state(const Words& words) const {
  const bool query = takes_query(words[0]);
  if (query && state_.job.empty() && !names_job(words)) {
    throw UsageError(fmt::format(
        "{}: which job? set job FILE.toml first, such as set job examples/demo/job.toml; or name "
        "one: {} FILE.toml ...",
        words[0],
        words[0]));
  }
  if ((!query && !takes_job(words[0])) || state_.job.empty()) {
    return words;
  }
  Words arguments = {words[0], state_.job};
  State state = state_;
  bool named_one = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool value_of_flag = words[i - 1].starts_with("-") && i > 1;
    if (!query || !is_whole_number(words[i]) || value_of_flag) {
      arguments.push_back(words[i]);
      continue;
    }
    const auto& named = row(words[i]);
    if (takes_rank(words[0])) {
      arguments.insert(arguments.end(), {"--option", std::to_string(named.rank)});
      continue;
    }
    arguments.push_back(named.name);
    // A name is sold on several markets; the row is of one.
    const Words market = {std::string(to_string(named.market))};
    auto& markets = state.settings["market"];
    if (named_one && markets != market) {
      throw UsageError("rows of two markets: this command looks at one market at a time");
    }
    markets = market;
    named_one = true;
  }
  if (query) {
    const auto flags = flags_of(state);
    arguments.insert(arguments.end(), flags.begin(), flags.end());
  }
  return arguments;
}

std::string Session::script() const {
  std::string text = shell_line({"set", "job", state_.job}) + "\n";
  for (const auto& [key, values] : state_.settings) {
    Words words = {"set", key};
    words.insert(words.end(), values.begin(), values.end());
    text += shell_line(words) + "\n";
  }
  if (!state_.order.empty()) {
    text += "sort " + state_.order + "\n";
  }
  return text + fmt::format("top {}\n", state_.top);
}

std::string Session::prompt() const {
  std::string state;
  if (!state_.job.empty()) {
    state += " " + stem(state_.job);
  }
  for (const auto& [key, values] : state_.settings) {
    state += fmt::format(" {}={}", key, fmt::join(values, ","));
  }
  return "rightsize" + state + "> ";
}

}  // namespace rightsize::shell
