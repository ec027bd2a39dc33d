// An interactive sizing session: the job, its filters and the last table are state; everything else
// is the command line's commands without the program's name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/shell/completion_words.h"
#include "advisor/suppose/offer_name.h"

namespace rightsize::shell {

class Session {
 public:
  // `context` is borrowed; what commands print goes there.
  explicit Session(cli::Context& context);

  // As `set job FILE`.
  int start(const std::string& job);

  // One line: a word of the session, or a command of the program. Returns its exit code; never
  // throws for what a user may type. An empty line does nothing.
  int run(std::string_view line);

  [[nodiscard]] bool finished() const { return finished_; }

  // "rightsize resnet50 deadline=12h> "; the state in a line.
  [[nodiscard]] std::string prompt() const;

  // What the word that ends `line` could become, by what stands before it.
  [[nodiscard]] std::vector<std::string> completions(std::string_view line);

 private:
  using Words = std::vector<std::string>;
  using Handler = int (Session::*)(const Words& words);
  struct Verb {
    std::string_view name;
    std::string_view arguments;
    std::string_view summary;
    Handler handler;
  };
  struct State {
    std::string job;
    std::map<std::string, std::vector<std::string>> settings;  // flags of advise without their --
    std::string order;
    std::size_t top = 10;
  };
  // A row of the last table: whose number stands for it.
  struct Row {
    OfferName name;
    std::size_t rank = 0;  // in advise's own order
  };

  static const std::vector<Verb>& verbs();
  // Whether a setting is given several times, as --infra is.
  static bool takes_several(const std::string& setting);
  // Flags of advise that can be set.
  static std::vector<std::string> setting_names();
  // Commands that take a job and the flags of advise; their row numbers stand for instances.
  static bool takes_query(const std::string& command);
  int dispatch(const Words& words);
  int set(const Words& words);
  int list_settings();
  int job(const Words& words);
  int unset(const Words& words);
  int sort(const Words& words);
  int top(const Words& words);
  int show(const Words& words);
  int undo(const Words& words);
  int save(const Words& words);
  int advise(const Words& words);
  int help(const Words& words);
  int quit(const Words& words);
  int command(const Words& words);

  // Throws UsageError where the job and the settings make no query, or a place or a book that
  // `state` has otherwise than now is one that no table knows.
  void check(const State& state) const;
  // Keeps `state` when check() has nothing against it, and what they were for undo. Throws
  // UsageError and changes nothing otherwise.
  void adopt(State state);
  // Throws UsageError with what to unset, where `state` has another job than now, and one of the
  // settings that the session keeps, or all of them, is what the job does not take.
  void blame_setting(const State& state, const std::string& refusal) const;
  // The job and settings as the command line would have them.
  [[nodiscard]] cli::Values values_of(const State& state) const;
  [[nodiscard]] Words flags_of(const State& state) const;
  [[nodiscard]] const Row& row(const std::string& number) const;
  [[nodiscard]] Words jobs_of(const Words& words) const;
  [[nodiscard]] Words with_state(const Words& words) const;
  static void add_row(const std::string& command, const Row& row, Words& arguments);
  [[nodiscard]] std::string script() const;
  // Instances, and what else follows such a command.
  [[nodiscard]] Words names_for_query(const std::string& command, std::string_view word);

  cli::Context& context_;
  State state_;
  std::vector<State> past_;
  std::vector<Row> rows_;
  CatalogNames catalog_;  // for Tab
  bool finished_ = false;
};

}  // namespace rightsize::shell
