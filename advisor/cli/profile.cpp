// `profile` is a campaign of one [[run]]: its options are the fields of a campaign file, a comma or
// a range makes an axis.
#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/measuring.h"
#include "advisor/query.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/override.h"
#include "profiler/campaign/plan.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// `--output` is every command's form of the result, so the field of that name is spelled out.
std::string option_name(std::string_view field) {
  if (field == "output") {
    return "preprocess-output";
  }
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// The campaign file that says what the options say.
std::string campaign_text(const Values& values, const std::string& name) {
  std::string plain;
  std::string axes;
  for (const auto& field : campaign_fields()) {
    const auto option = option_name(field.name);
    if (field.name == "name" || values.count(option) == 0) {
      continue;
    }
    const auto text = values[option].as<std::string>();
    const bool is_path = field.name == "data_path";
    if (const auto axis = is_path ? std::nullopt : toml_axis(text)) {
      axes += (axes.empty() ? "" : ", ") + fmt::format("{} = {}", field.name, *axis);
    } else {
      plain += fmt::format("{} = {}\n", field.name, toml_value(text));
    }
  }
  if (values.count("onnx") > 0) {
    if (values.count("network") > 0) {
      throw UsageError("--onnx names the network, and so does --network; give one of them");
    }
    plain += fmt::format("network = {}\n", toml_value(values["onnx"].as<std::string>()));
  }
  return fmt::format("name = \"profile\"\n[[run]]\nname = {}\n{}{}",
                     toml_value(name),
                     plain,
                     axes.empty() ? "" : "axes = {" + axes + "}\n");
}

}  // namespace

int run_profile(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_measuring_options(options);
  options.add_options()("name", po::value<std::string>()->default_value("profile"), "of the runs");
  options.add_options()(
      "onnx", po::value<std::string>(), "a network of yours, the same as --network FILE.onnx");
  for (const auto& field : campaign_fields()) {
    if (field.name != "name") {
      options.add_options()(option_name(field.name).c_str(),
                            po::value<std::string>(),
                            std::string(field.expected).c_str());
    }
  }
  const auto values = parse(context, "profile", options, {}, arguments);
  PlanOptions plan_options;
  plan_options.check_network = refuse_unknown_network;
  plan_options.data_root = std::filesystem::current_path().string();
  const auto text = campaign_text(values, values["name"].as<std::string>());
  return measure(context,
                 values,
                 {parse_plan(text, "command line", plan_options), campaign_options(values), ""});
}

}  // namespace rightsize::cli
