#include "advisor/cli/report_outputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr std::array forms{"html", "md", "csv", "json"};

bool is_stdout(const std::string& path) {
  return path == "-" || path == "/dev/stdout";
}

// Of a name that is yet to be nothing is resolved unless it is absolute: "x" and "./x".
fs::path resolved(const std::string& name) {
  std::error_code unknown;
  const auto path = fs::weakly_canonical(fs::absolute(name, unknown), unknown);
  return unknown ? fs::path(name) : path;
}

// A file that is written anew; a device such as /dev/null takes any number.
bool is_replaced(const std::string& name) {
  std::error_code unknown;
  const auto kind = fs::status(name, unknown).type();
  return kind == fs::file_type::regular || kind == fs::file_type::not_found;
}

// The second would take the first's place, or be read as a part of it.
class Places {
 public:
  void take(const std::string& option, const std::string& path) {
    if (is_stdout(path)) {
      if (!on_stdout_.empty()) {
        throw UsageError(fmt::format("{}: stdout takes one form, and {} goes there; name a file",
                                     option + " " + path,
                                     on_stdout_));
      }
      on_stdout_ = option;
      return;
    }
    const auto [first, fresh] = files_.emplace(resolved(path), option);
    if (!fresh && is_replaced(path)) {
      throw UsageError(fmt::format(
          "{} {}: that is the file of {} too; name another", option, path, first->second));
    }
  }

 private:
  std::string on_stdout_;
  std::map<fs::path, std::string> files_;
};

// --out-file in the form of -o, or of the file's name; "" where neither is given.
std::string form_of_stream(const Values& values) {
  if (!values["output"].defaulted()) {
    return output_format(values, {forms.begin(), forms.end()});
  }
  if (values.count("out-file") == 0) {
    return "";
  }
  const auto name = values["out-file"].as<std::string>();
  const auto dot = name.rfind('.');
  const auto ending = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (std::find(forms.begin(), forms.end(), ending) == forms.end()) {
    throw UsageError(fmt::format(
        "--out-file {}: which form? name it .html, .md, .csv or .json, or give -o", name));
  }
  return ending;
}

}  // namespace

void add_report_outputs(Options& options) {
  options.add_options()(
      "html", po::value<std::string>(), "write one self-contained page (- is stdout)")(
      "md", po::value<std::string>(), "write Markdown, fit for a pull request (- is stdout)")(
      "csv", po::value<std::string>(), "write the options as CSV (- is stdout)")(
      "json", po::value<std::string>(), "write the answer as JSON (- is stdout)");
  options.add_options()("output,o",
                        po::value<std::string>()->default_value(""),
                        "one form, to stdout or --out-file: html, md, csv or json")(
      "out-file",
      po::value<std::string>(),
      "write it there; its ending tells the form (- is stdout, with -o)");
}

std::vector<ReportOutput> report_outputs(const Values& values,
                                         const std::vector<std::string>& usual) {
  std::vector<ReportOutput> outputs;
  Places places;
  if (const auto form = form_of_stream(values); !form.empty()) {
    const bool named = values.count("out-file") > 0;
    outputs.push_back({form, named ? values["out-file"].as<std::string>() : "-"});
    places.take(named ? "--out-file" : "-o " + form, outputs.back().path);
  }
  for (const std::string form : forms) {
    if (values.count(form) > 0) {
      outputs.push_back({form, values[form].as<std::string>()});
      places.take("--" + form, outputs.back().path);
    }
  }
  if (outputs.empty()) {
    for (const auto& form : usual) {
      outputs.push_back({form, "report." + form});
    }
  }
  return outputs;
}

void write_report(Context& context,
                  const std::vector<ReportOutput>& outputs,
                  const std::function<std::string(std::string_view form)>& render) {
  const bool shared = std::any_of(
      outputs.begin(), outputs.end(), [](const auto& output) { return is_stdout(output.path); });
  for (const auto& [form, path] : outputs) {
    const auto text = render(form);
    if (path == "-") {
      context.out << text;
      continue;
    }
    write_file(path, text);
    (shared ? context.err : context.out)
        << fmt::format("{}  {}\n", path, report::bytes(static_cast<double>(text.size())));
  }
}

}  // namespace rightsize::cli
