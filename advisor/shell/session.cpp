#include "advisor/shell/session.h"

#include <algorithm>
#include <exception>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/evidence.h"
#include "advisor/cli/out_file.h"
#include "advisor/option_order.h"
#include "advisor/query/toml_fields.h"
#include "advisor/report/answer.h"
#include "advisor/report/option_text.h"
#include "advisor/report/sooner_text.h"
#include "advisor/report/table.h"
#include "advisor/report/table_notes.h"
#include "advisor/search.h"
#include "advisor/shell/child.h"
#include "advisor/shell/settings_in_force.h"
#include "advisor/shell/words.h"
#include "advisor/way_out/nothing_satisfies.h"
#include "profiler/command/user_command.h"

namespace rightsize::shell {
namespace {

constexpr std::size_t searched_options =
    100000;  // sort shows the fastest too, not only the cheapest

}  // namespace

Session::Session(cli::Context& context) : context_(context) {}

const std::vector<Session::Verb>& Session::verbs() {
  static const std::vector<Verb> all = {
      {"set",
       "KEY VALUE...",
       "job FILE.toml, deadline 12h, infra 'aws/*', market spot ...; alone: what is in force",
       &Session::set},
      {"job", "FILE.toml", "the same as set job", &Session::job},
      {"filter", "KEY VALUE...", "the same as set", &Session::set},
      {"unset", "KEY", "take a setting back", &Session::unset},
      {"advise",
       "",
       "the options under the settings; their numbers name them from here on",
       &Session::advise},
      {"sort",
       "KEY[:desc]",
       "cost, time, throughput, price, vcpus, memory or chance",
       &Session::sort},
      {"top", "N", "how many options are shown, 0 = all", &Session::top},
      {"show", "", "the job and the settings", &Session::show},
      {"undo", "", "back to before the last set, unset, sort or top", &Session::undo},
      {"save",
       "FILE",
       "the session's state as a script for rightsize shell < FILE",
       &Session::save},
      {"help", "", "this", &Session::help},
      {"quit", "", "leave (Ctrl-D)", &Session::quit},
      {"exit", "", "leave", &Session::quit},
  };
  return all;
}

int Session::start(const std::string& job) {
  return run(shell_line({"set", "job", job}));
}

int Session::run(std::string_view line) {
  try {
    const auto words = split(line);
    return words.empty() ? cli::exit_ok : dispatch(words);
  } catch (const NothingSatisfies& error) {
    context_.err << context_.err_style.bad("error: ") << error.what() << "\n";
    return cli::exit_nothing_satisfies;
  } catch (const UsageError& error) {
    context_.err << context_.err_style.bad("error: ") << error.what() << "\n";
    return cli::exit_usage;
  } catch (const std::exception& error) {
    context_.err << context_.err_style.bad("error: ") << error.what() << "\n";
    return cli::exit_failed;
  }
}

int Session::dispatch(const Words& words) {
  for (const auto& verb : verbs()) {
    // advise with arguments of its own is the program's command.
    if (verb.name == words[0] && (words[0] != "advise" || words.size() == 1)) {
      return (this->*verb.handler)(words);
    }
  }
  const auto all = cli::commands();
  const bool known = std::any_of(
      all.begin(), all.end(), [&](const auto& c) { return !c.hidden && c.name == words[0]; });
  if (words[0] == "shell") {
    throw UsageError("shell: this is it; job FILE.toml takes another job, quit leaves");
  }
  if (!known) {
    std::vector<std::string> names;
    for (const auto& verb : verbs()) {
      names.emplace_back(verb.name);
    }
    for (const auto& known_command : all) {
      names.emplace_back(known_command.name);
    }
    const auto settings = setting_names();
    if (std::find(settings.begin(), settings.end(), words[0]) != settings.end()) {
      throw UsageError(fmt::format("{0} is a setting: set {0} ...", words[0]));
    }
    const auto near = nearest_word(words[0], names);
    throw UsageError(fmt::format("no command is called \"{}\"{}; help lists them",
                                 words[0],
                                 near.empty() ? "" : fmt::format(", did you mean {}?", near)));
  }
  return command(words);
}

// As SQL shells do: set alone says what is set.
int Session::list_settings() {
  std::vector<SettingInForce> settings;
  if (!state_.job.empty()) {
    const auto written = load_query(state_.job);
    settings = settings_in_force(cli::query_from(values_of(state_), "advise"),
                                 written,
                                 keys_stated(state_.job),
                                 state_.settings);
    settings.insert(settings.begin(), {"job", state_.job, "set here"});
  } else if (!state_.settings.empty()) {
    settings = settings_in_force({}, {}, {}, state_.settings);
  }
  report::Table table({{"setting"}, {"value"}, {"from"}});
  for (const auto& [key, value, source] : settings) {
    table.add({key, value, source});
  }
  context_.out << table.text(context_.out_style)
               << (state_.job.empty() ? "no job yet: set job FILE.toml\n" : "");
  return cli::exit_ok;
}

int Session::set(const Words& words) {
  if (words.size() == 1) {
    return list_settings();
  }
  if (words.size() < 3) {
    throw UsageError(
        fmt::format("{0} {1}: to what? such as {0} job FILE.toml, {0} deadline 12h, without \"=\"; "
                    "{0} alone lists what is set",
                    words[0],
                    words[1]));
  }
  State state = state_;
  const Words values(words.begin() + 2, words.end());
  if (words[1] == "job") {
    state.job = values[0];
  } else {
    const auto names = setting_names();
    if (std::find(names.begin(), names.end(), words[1]) == names.end()) {
      const auto near = nearest_word(words[1], names);
      throw UsageError(fmt::format("set {}: no such setting{}; they are job, {}",
                                   words[1],
                                   near.empty() ? "" : fmt::format(", did you mean {}?", near),
                                   fmt::join(names, ", ")));
    }
    state.settings[words[1]] =
        takes_several(words[1]) ? values : Words{fmt::format("{}", fmt::join(values, " "))};
  }
  adopt(std::move(state));
  return cli::exit_ok;
}

int Session::job(const Words& words) {
  if (words.size() != 2) {
    throw UsageError("job FILE: expected one job file, such as job examples/demo/job.toml");
  }
  return set({"set", "job", words[1]});
}

int Session::unset(const Words& words) {
  State state = state_;
  if (words.size() != 2 || state.settings.erase(words[1]) == 0) {
    throw UsageError("unset what? show lists what is set");
  }
  adopt(std::move(state));
  return cli::exit_ok;
}

int Session::sort(const Words& words) {
  State state = state_;
  state.order = words.size() > 1 ? words[1] : "";
  Recommendation none;
  sort_options(none, state.order);  // names the mistake, if any
  adopt(std::move(state));
  return advise({"advise"});
}

int Session::top(const Words& words) {
  if (words.size() != 2 || !is_whole_number(words[1]) || words[1].size() > 6) {
    throw UsageError("top N: expected a number, 0 for all");
  }
  State state = state_;
  state.top = std::stoul(words[1]);
  adopt(std::move(state));
  return advise({"advise"});
}

int Session::show(const Words&) {
  context_.out << (state_.job.empty() ? "no job yet: set job FILE.toml\n" : script());
  return cli::exit_ok;
}

int Session::undo(const Words&) {
  if (past_.empty()) {
    throw UsageError("nothing to undo");
  }
  state_ = std::move(past_.back());
  past_.pop_back();
  rows_.clear();
  return cli::exit_ok;
}

int Session::save(const Words& words) {
  if (words.size() != 2) {
    throw UsageError("save FILE: expected one file name");
  }
  if (words[1] == "-") {
    context_.out << script();
    return cli::exit_ok;
  }
  if (!state_.job.empty()) {
    cli::refuse_input(values_of(state_), "save", words[1]);
  }
  cli::write_file(words[1], script());
  context_.err << "Next: rightsize shell < " << words[1] << "\n";
  return cli::exit_ok;
}

int Session::help(const Words&) {
  for (const auto& verb : verbs()) {
    context_.out << fmt::format(
        "  {:<22}{}\n", fmt::format("{} {}", verb.name, verb.arguments), verb.summary);
  }
  context_.out
      << "\nThe program's commands without its name; numbers stand for the rows of the last "
         "table:\n";
  for (const auto& known : cli::commands()) {
    if (!known.hidden && known.name != "shell") {
      context_.out << fmt::format("  {:<22}{}\n", known.name, known.summary);
    }
  }
  context_.out << "e.g. explain 1, compare 1 3, what-if 1 vcpus=24, export 1 --to slurm\n";
  return cli::exit_ok;
}

int Session::quit(const Words&) {
  finished_ = true;
  return cli::exit_ok;
}

int Session::advise(const Words&) {
  if (state_.job.empty()) {
    throw UsageError("which job? set job FILE.toml first");
  }
  const auto values = values_of(state_);
  auto query = cli::query_from(values, "advise");
  const auto knowledge = cli::load_knowledge(context_, values, {&query, 1});
  SearchOptions options;
  options.max_options = searched_options;
  auto answer = search(query, knowledge.evidence(), options);
  rows_.clear();
  sort_options(answer, state_.order);
  for (const auto& option : answer.options) {
    rows_.push_back({name_of(option), option.rank});
  }
  constexpr std::size_t width = 98;
  context_.out << report::wrapped(report::answer_sentence(answer), width, "  ") << "\n"
               << report::numbered_option_table(answer, state_.top).text(context_.out_style);
  if (const auto left = report::options_left_out(answer, state_.top); left > 0) {
    context_.out << fmt::format("  NOTE: {} more, top 0 shows them\n", left);
  }
  for (const auto& note : report::table_notes(answer, state_.top)) {
    context_.out << "  " << report::wrapped(note, width - 2, "    ");
  }
  if (const auto sooner = report::sooner_line(answer); !sooner.empty()) {
    context_.out << report::wrapped(sooner, width, "  ");
  }
  if (!answer.chosen) {  // why not, and what would be enough
    context_.out << report::wrapped(report::rejected_line(answer), width, "  ");
    for (const auto& hint : answer.warnings) {
      context_.out << report::wrapped(hint, width, "  ");
    }
  }
  return answer.chosen ? cli::exit_ok : cli::exit_nothing_satisfies;
}

int Session::command(const Words& words) {
  return run_in_child(context_, with_state(words));
}

}  // namespace rightsize::shell
