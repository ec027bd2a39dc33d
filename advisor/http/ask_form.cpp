#include "advisor/http/ask_form.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/http/asked_job.h"
#include "advisor/http/served_folder.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/escape.h"
#include "advisor/text_file.h"
#include "kernels/network.h"

namespace rightsize::http {
namespace {

using report::escape_html;

// What most questions say; the other keys are folded away under their tables.
constexpr std::array<std::string_view, 14> usual{"job.network",
                                                 "job.phase",
                                                 "job.precision",
                                                 "job.batch_per_gpu",
                                                 "job.epochs",
                                                 "data.items",
                                                 "data.format",
                                                 "data.bytes",
                                                 "constraints.deadline",
                                                 "constraints.budget",
                                                 "constraints.infra",
                                                 "constraints.gpu",
                                                 "constraints.markets",
                                                 "job.current"};

struct TableTitle {
  std::string_view table;
  std::string_view title;
};
constexpr std::array titles{TableTitle{"job", "The work"},
                            TableTitle{"data", "The data"},
                            TableTitle{"service", "A service"},
                            TableTitle{"constraints", "Constraints"},
                            TableTitle{"spot", "Spot machines"},
                            TableTitle{"money", "Money"}};

// Several of the same key are told as a list.
std::string asked_for(std::span<const Parameter> parameters, const std::string& name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters) {
    if (key == name && !value.empty()) {
      values.push_back(value);
    }
  }
  if (values.size() < 2) {
    return values.empty() ? "" : values.front();
  }
  std::string list;
  for (const auto& value : values) {
    list += (list.empty() ? "[\"" : ", \"") + value + "\"";
  }
  return list + "]";
}

// The words in quotes of a key's example: "fp16" (unless said), "bf16", ...
std::vector<std::string> words_of(std::string_view example) {
  std::vector<std::string> words;
  for (auto open = example.find('"'); open != std::string_view::npos;) {
    const auto close = example.find('"', open + 1);
    if (close == std::string_view::npos) {
      break;
    }
    words.emplace_back(example.substr(open + 1, close - open - 1));
    open = example.find('"', close + 1);
  }
  return words;
}

std::vector<std::string> offered(const JobKey& key) {
  std::vector<std::string> words;
  if (dotted(key) == "job.network") {
    for (const auto& network : network_titles()) {
      words.emplace_back(network.name);
    }
  } else if (dotted(key) == "constraints.gpu") {
    const auto rates = shipped_gpu_rates();
    for (const auto& gpu : rates.gpus()) {
      words.emplace_back(gpu.name);
    }
  } else {
    words = words_of(key.value);
  }
  return words.size() < 2 ? std::vector<std::string>() : words;
}

std::string field(const JobKey& key,
                  std::span<const Parameter> parameters,
                  const toml::table& job) {
  const auto name = dotted(key);
  const auto words = offered(key);
  std::string list;
  for (const auto& word : words) {
    list += fmt::format("<option value=\"{}\">", escape_html(word));
  }
  auto behind = said_by(job, key).value_or(std::string(key.value));
  std::erase_if(behind, [](char c) { return c == '"' || c == '[' || c == ']'; });  // as it is typed
  return fmt::format(
      "<label title=\"{3}\"><span>{0}</span> <input name=\"{1}\" value=\"{2}\" "
      "placeholder=\"{4}\"{5} autocomplete=\"off\"></label>{6}\n",
      escape_html(key.key),
      escape_html(name),
      escape_html(asked_for(parameters, name)),
      escape_html(fmt::format("[{}] {}: {}", key.table, key.key, key.meaning)),
      escape_html(behind),
      list.empty() ? "" : fmt::format(" list=\"{}-words\"", escape_html(name)),
      list.empty()
          ? ""
          : fmt::format("<datalist id=\"{}-words\">{}</datalist>", escape_html(name), list));
}

std::string job_choice(const std::string& chosen, const Premises& premises) {
  const auto files = job_files(premises.folder);
  if (files.empty()) {
    return "";
  }
  std::string options = "<option value=\"\">no file: what is said here</option>";
  for (const auto& file : files) {
    options +=
        fmt::format("<option{}>{}</option>", file == chosen ? " selected" : "", escape_html(file));
  }
  return fmt::format(
      "<label class=\"job\"><span>job file</span> <select name=\"job\">{}</select></label>\n",
      options);
}

// What stands behind blank fields; nothing where it cannot be read, as the answer will say.
toml::table job_of(std::span<const Parameter> parameters, const Premises& premises) {
  const auto sent = asked_for(parameters, "toml");
  const auto file = asked_for(parameters, "job");
  try {
    check_inside(file, "job");
    return toml::parse(
        !sent.empty()  ? sent
        : file.empty() ? ""
                       : read_text_file((std::filesystem::path(premises.folder) / file).string()));
  } catch (const UsageError&) {
    return {};
  } catch (const toml::parse_error&) {
    return {};
  }
}

std::string folded_tables(std::span<const Parameter> parameters, const toml::table& job) {
  std::string out;
  for (const auto& [table, title] : titles) {
    std::string fields;
    bool said = false;
    for (const auto& key : job_keys()) {
      const auto name = dotted(key);
      if (key.table == table && std::find(usual.begin(), usual.end(), name) == usual.end()) {
        fields += field(key, parameters, job);
        said = said || !asked_for(parameters, name).empty();
      }
    }
    out += fmt::format(
        "<details{}><summary>{}</summary>\n<div class=\"fields\">\n{}</div></details>\n",
        said ? " open" : "",
        title,
        fields);
  }
  return out;
}

// What the form has no field for: flags of advise.
std::vector<Parameter> beside(std::span<const Parameter> parameters) {
  std::vector<Parameter> rest(parameters.begin(), parameters.end());
  std::erase_if(rest, [](const Parameter& p) {
    return p.key == "job" || job_key_named(p.key) != nullptr || p.value.empty();
  });
  return rest;
}

}  // namespace

std::string hidden_fields(std::span<const Parameter> parameters) {
  std::string out;
  for (const auto& [key, value] : parameters) {
    out += fmt::format(
        "<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", escape_html(key), escape_html(value));
  }
  return out;
}

std::string ask_form(std::span<const Parameter> parameters, const Premises& premises) {
  const auto job = job_of(parameters, premises);
  std::string fields = job_choice(asked_for(parameters, "job"), premises);
  for (const auto& key : job_keys()) {
    if (std::find(usual.begin(), usual.end(), dotted(key)) != usual.end()) {
      fields += field(key, parameters, job);
    }
  }
  return fmt::format(
      "<form class=\"ask\" action=\"/advise\" method=\"get\">\n<div class=\"fields\">\n{}</div>\n"
      "{}{}<button>Which machine?</button>\n</form>\n",
      fields,
      folded_tables(parameters, job),
      hidden_fields(beside(parameters)));
}

std::string paste_form(std::span<const Parameter> parameters) {
  return fmt::format(
      "<form class=\"paste\" action=\"/advise\" method=\"post\">\n"
      "<textarea name=\"toml\" rows=\"14\" spellcheck=\"false\" "
      "aria-label=\"A job file (TOML)\" required>\n{}</textarea>\n"
      "<button>Which machine?</button>\n</form>\n",
      escape_html(asked_for(parameters, "toml")));
}

}  // namespace rightsize::http
