// The commands as one visible table, and what every command shares: streams, style, arguments.
#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "advisor/report/style.h"
#include "profiler/store/store.h"

namespace rightsize::cli {

// Exit codes, stable: scripts depend on them.
enum ExitCode {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_nothing_satisfies = 3,
  exit_untrusted = 4,
  exit_check_failed = 5,
  exit_interrupted = 130,
};

// Where a command writes: results to `out`, everything else to `err`.
struct Context {
  std::ostream& out;
  std::ostream& err;
  report::Style out_style;
  report::Style err_style;
  bool err_is_terminal = false;
  // Where it is set, parse() shows it the options, and which of them are given by position, in
  // place of all else.
  std::function<void(const boost::program_options::options_description& options,
                     const std::vector<std::string>& positional)>
      see_options{};
};

struct Command {
  std::string_view name;
  std::string_view arguments;  // "JOB.toml"
  std::string_view summary;    // one line
  std::string_view examples;   // pasteable lines
  int (*run)(Context& context, const std::vector<std::string>& arguments);
  bool hidden = false;
};

[[nodiscard]] std::span<const Command> commands();

// Finds and runs the command; turns every exception into a message on err and an exit code.
[[nodiscard]] int run_program(Context& context, const std::vector<std::string>& arguments);

// Thrown by parse() after it has printed the help of a command, or shown its options: not an error.
class HelpShown : public std::runtime_error {
 public:
  HelpShown() : std::runtime_error("help shown") {}
};

using Values = boost::program_options::variables_map;
using Options = boost::program_options::options_description;

// Parses `arguments` of the command `name`; `positional` names options given by position, the last
// one taking all the rest when it ends in "...". Throws UsageError, HelpShown.
[[nodiscard]] Values parse(Context& context,
                           std::string_view name,
                           Options& options,
                           const std::vector<std::string>& positional,
                           const std::vector<std::string>& arguments);

// -o/--output, --out-file.
void add_output_options(Options& options);
// --db: the store of records; --model: the fitted model.
void add_store_option(Options& options);
void add_model_option(Options& options);

[[nodiscard]] std::string store_path(const Values& values);
[[nodiscard]] std::string model_path(const Values& values);
// The store, made with its folder where there is none yet. Throws StoreError.
[[nodiscard]] Store open_store(const Values& values);
// Where `doctor --bench` keeps what it saw: RIGHTSIZE_BASELINE, else in $XDG_DATA_HOME/rightsize.
[[nodiscard]] std::string baseline_path();

// -o as given, checked against what the command can do. Throws UsageError listing the choices.
[[nodiscard]] std::string output_format(const Values& values,
                                        const std::vector<std::string>& allowed);

// Writes `text` to --out-file (atomically) or to context.out.
void emit(Context& context, const Values& values, const std::string& text);

// Reads a whole file. Throws UsageError "path: cannot open the file".
[[nodiscard]] std::string read_file(const std::string& path);
// Writes a file by a temporary one beside it and a rename; a device or a pipe straight, and through
// links. Throws UsageError for a folder, std::runtime_error where it cannot be written.
void write_file(const std::string& path, const std::string& text);

// One function per command, in the file of its name.
int run_doctor(Context& context, const std::vector<std::string>& arguments);
int run_networks(Context& context, const std::vector<std::string>& arguments);
int run_dataset(Context& context, const std::vector<std::string>& arguments);
int run_profile(Context& context, const std::vector<std::string>& arguments);
int run_campaign(Context& context, const std::vector<std::string>& arguments);
int run_records(Context& context, const std::vector<std::string>& arguments);
int run_fit(Context& context, const std::vector<std::string>& arguments);
int run_validate(Context& context, const std::vector<std::string>& arguments);
int run_predict(Context& context, const std::vector<std::string>& arguments);
int run_size(Context& context, const std::vector<std::string>& arguments);
int run_simulate(Context& context, const std::vector<std::string>& arguments);
int run_advise(Context& context, const std::vector<std::string>& arguments);
int run_verify(Context& context, const std::vector<std::string>& arguments);
int run_compare(Context& context, const std::vector<std::string>& arguments);
int run_what_if(Context& context, const std::vector<std::string>& arguments);
int run_explain(Context& context, const std::vector<std::string>& arguments);
int run_export(Context& context, const std::vector<std::string>& arguments);
int run_report(Context& context, const std::vector<std::string>& arguments);
int run_serve(Context& context, const std::vector<std::string>& arguments);
int run_shell(Context& context, const std::vector<std::string>& arguments);
int run_completion(Context& context, const std::vector<std::string>& arguments);
int run_complete(Context& context, const std::vector<std::string>& arguments);
int run_prices(Context& context, const std::vector<std::string>& arguments);
int run_gpus(Context& context, const std::vector<std::string>& arguments);
int run_shard_command(Context& context, const std::vector<std::string>& arguments);
int run_worker_command(Context& context, const std::vector<std::string>& arguments);

}  // namespace rightsize::cli
