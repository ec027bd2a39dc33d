// Arguments, help and the options that several commands share.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <typeinfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/command.h"
#include "advisor/cli/help.h"
#include "advisor/cli/out_file.h"
#include "advisor/machine/machine_keys.h"
#include "advisor/query/toml_fields.h"
#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"
#include "profiler/store/database.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

const Command& command_named(std::string_view name) {
  const auto all = commands();
  return *std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
}

// What people know a flag by from elsewhere, where this command has what is meant.
struct Elsewhere {
  std::string_view word;
  std::string_view flag;  // that has to be there
  std::string_view meant;
};
constexpr std::array elsewhere{Elsewhere{"spot", "market", "--market spot"},
                               Elsewhere{"preemptible", "market", "--market spot"},
                               Elsewhere{"use-spot", "market", "--market spot"},
                               Elsewhere{"on-demand", "market", "--market on-demand"},
                               Elsewhere{"reserved", "market", "--market reserved-1y"},
                               Elsewhere{"json", "output", "-o json"},
                               Elsewhere{"csv", "output", "-o csv"},
                               Elsewhere{"markdown", "output", "-o md"},
                               Elsewhere{"format", "output", "-o json"},
                               Elsewhere{"wide", "output", "-o wide"},
                               Elsewhere{"cloud", "infra", "--infra aws"},
                               Elsewhere{"clouds", "infra", "--infra aws"},
                               Elsewhere{"provider", "infra", "--infra aws"},
                               Elsewhere{"zone", "region", "--region us-east-1"},
                               Elsewhere{"instance-type", "machine", "--machine aws/g5.xlarge"},
                               Elsewhere{"instance-type", "allow", "--allow '^g5[.]xlarge$'"}};

std::string_view meant_elsewhere(std::string_view word, const Options& options) {
  const auto* const found =
      std::find_if(elsewhere.begin(), elsewhere.end(), [&](const Elsewhere& row) {
        return row.word == word && options.find_nothrow(std::string(row.flag), false) != nullptr;
      });
  return found == elsewhere.end() ? "" : found->meant;
}

std::string unknown_option(const std::string& given, const Options& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) {
    names.push_back(option->long_name());
  }
  // Without the dashes, which would make short words alike.
  const auto bare_name = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  if (const auto meant = meant_elsewhere(bare_name, options); !meant.empty()) {
    return fmt::format("unknown option {}, did you mean {}?", given, meant);
  }
  const auto near = nearest_word(bare_name, names);
  if (const auto part = machine_key_meant(bare_name); near.empty() && !part.empty()) {
    return fmt::format(
        "unknown option {}; a machine's own parts are said to predict: rightsize predict --machine "
        "gpu=V100:1,vcpus=8,memory=61GiB and so on, with {}",
        given,
        part);
  }
  return fmt::format(
      "unknown option {}{}", given, near.empty() ? "" : fmt::format(", did you mean --{}?", near));
}

// "--gpus-min 4x: expected a number": Boost says neither what it is nor what it is for.
std::string unreadable_value(const po::invalid_option_value& error, const Options& options) {
  const std::string what = error.what();
  const auto quote = what.find('\'');
  const auto end = what.rfind("') for option");
  const auto given = error.get_option_name();  // with its dashes
  const auto* option = options.find_nothrow(
      given.substr(std::min(given.find_first_not_of('-'), given.size())), false);
  if (option == nullptr || quote == std::string::npos || end == std::string::npos) {
    return what;
  }
  const auto* typed = dynamic_cast<const po::typed_value_base*>(option->semantic().get());
  const auto& type = typed == nullptr ? typeid(void) : typed->value_type();
  return fmt::format("--{} {}: expected {}{}",
                     option->long_name(),
                     what.substr(quote + 1, end - quote - 1),
                     type == typeid(bool)     ? "true or false"
                     : type == typeid(double) ? "a number"
                                              : "a whole number",
                     option->description().empty() ? "" : "; " + option->description());
}

std::string data_home() {
  if (const char* home = std::getenv("XDG_DATA_HOME"); home != nullptr && home[0] == '/') {
    return std::string(home) + "/rightsize";
  }
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "/tmp" : home) + "/.local/share/rightsize";
}

std::string usual_path(const char* variable, const char* file) {
  if (const char* from = std::getenv(variable); from != nullptr && from[0] != '\0') {
    return from;
  }
  // Ours to make: nobody mistyped it.
  std::error_code ignored;
  fs::create_directories(data_home(), ignored);
  return data_home() + "/" + file;
}

std::string path_option(const Values& values,
                        const char* option,
                        const char* variable,
                        const char* file) {
  return values.count(option) > 0 ? values[option].as<std::string>() : usual_path(variable, file);
}

// Names that end in "..." take all that is left.
po::positional_options_description positions_of(const std::vector<std::string>& positional) {
  po::positional_options_description by_position;
  for (const auto& option : positional) {
    const bool rest = option.ends_with("...");
    by_position.add(option.substr(0, option.size() - (rest ? 3 : 0)).c_str(), rest ? -1 : 1);
  }
  return by_position;
}

// Boost would wrap a negative number round to a huge one.
void refuse_negative_counts(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (const auto* option : {"--max-results", "--seed", "--items", "--simulated-items"}) {
      const std::string value = arguments[i] == option && i + 1 < arguments.size()
                                    ? arguments[i + 1]
                                : arguments[i].starts_with(std::string(option) + "=-") ? "-"
                                                                                       : "";
      if (value.starts_with("-")) {
        throw UsageError(fmt::format("{}: expected a number that is not negative", option));
      }
    }
  }
}

}  // namespace

Values parse(Context& context,
             std::string_view name,
             Options& options,
             const std::vector<std::string>& positional,
             const std::vector<std::string>& arguments) {
  options.add_options()("help,h", "show this");
  if (context.see_options) {
    context.see_options(options, positional);
    throw HelpShown();
  }
  const auto by_position = positions_of(positional);
  refuse_negative_counts(arguments);
  Values values;
  try {
    // No guessing: an abbreviated option in a script would change meaning with a new one.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments)
                  .options(options)
                  .positional(by_position)
                  .style(style)
                  .run(),
              values);
    if (values.count("help") > 0) {
      context.out << help_of(command_named(name), options);
      throw HelpShown();
    }
    po::notify(values);
  } catch (const po::unknown_option& error) {
    throw UsageError(unknown_option(error.get_option_name(), options));
  } catch (const po::invalid_option_value& error) {
    throw UsageError(unreadable_value(error, options));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(fmt::format(
        "too many arguments; usage: rightsize {} {}", name, command_named(name).arguments));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  check_written_files(values);
  return values;
}

void add_output_options(Options& options) {
  options.add_options()("output,o",
                        po::value<std::string>()->default_value("table"),
                        "table, wide, json, jsonl, csv, md or names, as the command can")(
      "out-file", po::value<std::string>(), "write the result there instead of to stdout (-)");
}

void add_store_option(Options& options) {
  options.add_options()("db",
                        po::value<std::string>(),
                        "the store of records (RIGHTSIZE_DB; else in $XDG_DATA_HOME/rightsize)");
}

void add_model_option(Options& options) {
  options.add_options()("model",
                        po::value<std::string>(),
                        "the fitted model (RIGHTSIZE_MODEL; else in $XDG_DATA_HOME/rightsize)");
}

std::string store_path(const Values& values) {
  return path_option(values, "db", "RIGHTSIZE_DB", "records.db");
}

Store open_store(const Values& values) {
  const auto path = store_path(values);
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty()) {
    std::error_code ignored;  // the store says it better
    fs::create_directories(folder, ignored);
  }
  try {
    return Store(path);
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const StoreError& error) {  // another file than a store, or no place for one
    throw UsageError(error.what());
  }
}

std::string baseline_path() {
  return usual_path("RIGHTSIZE_BASELINE", "baseline.json");
}

std::string model_path(const Values& values) {
  return path_option(values, "model", "RIGHTSIZE_MODEL", "model.json");
}

std::string output_format(const Values& values, const std::vector<std::string>& allowed) {
  const auto& format = values["output"].as<std::string>();
  if (std::find(allowed.begin(), allowed.end(), format) == allowed.end()) {
    throw UsageError(
        fmt::format("--output {}: this command can do {}", format, fmt::join(allowed, ", ")));
  }
  return format;
}

void emit(Context& context, const Values& values, const std::string& text) {
  if (to_stdout(values)) {
    context.out << text;
    return;
  }
  write_file(values["out-file"].as<std::string>(), text);
}

std::string read_file(const std::string& path) {
  return read_text_file(path);
}

}  // namespace rightsize::cli
