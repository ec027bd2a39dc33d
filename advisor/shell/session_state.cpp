// What a session remembers, and what it makes of a line with that.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/scope.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/flags.h"
#include "advisor/cli/tables.h"
#include "advisor/report/units.h"
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

// "cost" of "--sort cost", not what follows "--sort=cost" or a switch.
bool is_value_of_flag(const std::vector<std::string>& words, std::size_t i) {
  const auto flags = cli::flags_of(words[0]);
  return i > 1 && std::any_of(flags.begin(), flags.end(), [&](const cli::Flag& flag) {
           return flag.takes_value && (flag.name == words[i - 1] || flag.brief == words[i - 1]);
         });
}

// A flag may end like a file: --out-file=answer.json.
bool is_file(const std::vector<std::string>& words, std::size_t i, std::string_view ending) {
  return words[i].ends_with(ending) && !words[i].starts_with('-') && !is_value_of_flag(words, i);
}

bool is_job(const std::vector<std::string>& words, std::size_t i) {
  return is_file(words, i, ".toml");
}

// Of a setting without a value on the command line, which `set` gives one. Throws UsageError.
bool is_on(const std::string& setting, const std::string& word) {
  const bool on = word == "yes" || word == "true" || word == "on";
  if (!on && word != "no" && word != "false" && word != "off") {
    throw UsageError(fmt::format("{} {}: expected yes or no", setting, word));
  }
  return on;
}

// "report answer.json", "advise --help": that needs no job.
bool needs_no_job(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (is_file(words, i, ".json") || words[i] == "--help" || words[i] == "-h") {
      return true;
    }
  }
  return false;
}

bool brings_offers(const std::string& setting) {
  return setting == "prices" || setting == "custom-prices" || setting == "custom-shapes" ||
         setting == "on-prem";
}

std::string stem(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

}  // namespace

void Session::check(const State& state) const {
  const auto values = values_of(state);
  auto query = cli::query_from(values, "advise");
  const auto changes = [&](const char* key) {
    const auto then = state.settings.find(key);
    const auto now = state_.settings.find(key);
    return then != state.settings.end() &&
           (state.job != state_.job || now == state_.settings.end() || now->second != then->second);
  };
  if (!changes("infra") && !changes("region") && !changes("book")) {
    return;
  }
  auto catalog = shipped_catalog();
  cli::add_own_tables(values, {&query, 1}, catalog);
  if (!names_something(query, catalog)) {
    throw UsageError(nothing_in_scope(query, catalog));
  }
  cli::refuse_unknown_names(values, {&query, 1}, catalog);
}

void Session::adopt(State state) {
  if (!state.job.empty()) {
    try {
      check(state);
    } catch (const UsageError& refusal) {
      blame_setting(state, refusal.what());
      throw;
    }
  }
  if (state.job != state_.job || state.settings != state_.settings) {
    rows_.clear();  // their numbers stood for another question's answer
  }
  past_.push_back(std::move(state_));
  state_ = std::move(state);
}

void Session::blame_setting(const State& state, const std::string& refusal) const {
  if (state.job == state_.job) {
    return;
  }
  const auto answers = [&](const State& tried) {
    try {
      check(tried);
      return true;
    } catch (const UsageError&) {
      return false;
    }
  };
  const auto blame = [&](const std::string& what, const std::string& unset) {
    throw UsageError(
        fmt::format("{}\n       That is {}, kept from before: {} first, then set job {}",
                    refusal,
                    what,
                    unset,
                    shell_line({state.job})));
  };
  for (const auto& [key, values] : state.settings) {
    auto without = state;
    without.settings.erase(key);
    if (answers(without)) {
      blame(fmt::format("set {} {}", key, fmt::join(values, " ")), "unset " + key);
    }
  }
  auto bare = state;
  bare.settings.clear();
  if (!state.settings.empty() && answers(bare)) {
    std::vector<std::string> keys;
    for (const auto& [key, values] : state.settings) {
      keys.push_back("unset " + key);
    }
    blame("one or more of the settings", fmt::format("{}", fmt::join(keys, ", ")));
  }
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
      if (!bare) {
        flags.insert(flags.end(), {"--" + key, value});
      } else if (is_on(key, value)) {
        flags.push_back("--" + key);
      }
    }
  }
  return flags;
}

bool Session::takes_several(const std::string& setting) {
  using Several = boost::program_options::typed_value<Words>;
  cli::Options options("options");
  cli::add_query_options(options);
  const auto semantic = options.find(setting, false).semantic();
  return dynamic_cast<const Several*>(semantic.get()) != nullptr;
}

const Session::Row& Session::row(const std::string& number) const {
  const auto index = number.size() > 6 ? 0 : std::stoul(number);
  if (index < 1 || index > rows_.size()) {
    throw UsageError(
        rows_.empty()
            ? fmt::format("{}: no table shows what is asked now; advise makes one", number)
            : fmt::format(
                  "{}: the last table has {}", number, report::count_of(rows_.size(), "row")));
  }
  return rows_[index - 1];
}

// Jobs that the line names, in the place of the session's; it first, where it names none.
Session::Words Session::jobs_of(const Words& words) const {
  Words jobs;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (is_job(words, i)) {
      jobs.push_back(words[i]);
    }
  }
  if (jobs.empty() && !state_.job.empty()) {
    jobs.push_back(state_.job);
  }
  return jobs;
}

// The job, the settings, and instances for numbers, where the command takes them.
Session::Words Session::with_state(const Words& words) const {
  const bool query = takes_query(words[0]);
  const auto jobs = jobs_of(words);
  if ((!query && !takes_job(words[0])) || (jobs.empty() && !query) || needs_no_job(words)) {
    return words;
  }
  if (jobs.empty()) {
    throw UsageError(fmt::format(
        "{}: which job? set job FILE.toml first, such as set job examples/demo/job.toml; or name "
        "one: {} FILE.toml ...",
        words[0],
        words[0]));
  }
  Words arguments = jobs;
  arguments.insert(arguments.begin(), words[0]);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (query && words[i].starts_with('[') && words[i].ends_with(']') && i > 1) {
      arguments.back() += " " + words[i];  // "g5.xlarge [Spot]", as the table shows it
    } else if (query && is_whole_number(words[i]) && !is_value_of_flag(words, i)) {
      add_row(words[0], row(words[i]), arguments);
    } else if (!is_job(words, i)) {
      arguments.push_back(words[i]);
    }
  }
  if (query) {
    const auto flags = flags_of(state_);
    arguments.insert(arguments.end(), flags.begin(), flags.end());
  }
  return arguments;
}

// What stands for a row's number in the command's line.
void Session::add_row(const std::string& command, const Row& row, Words& arguments) {
  if (takes_rank(command)) {
    arguments.insert(arguments.end(), {"--option", std::to_string(row.rank)});
    return;
  }
  arguments.push_back(typed(row.name));
}

std::string Session::script() const {
  std::string money;   // what amounts are counted in, before the job and budgets that name them
  std::string tables;  // before the places and books that they bring
  std::string others;
  for (const auto& [key, values] : state_.settings) {
    Words words = {"set", key};
    words.insert(words.end(), values.begin(), values.end());
    auto& part = key == "currency" || key == "fx" ? money : brings_offers(key) ? tables : others;
    part += shell_line(words) + "\n";
  }
  auto text = money + shell_line({"set", "job", state_.job}) + "\n" + tables + others;
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
