// `profile` is a campaign of one [[run]]: its options are the fields of a campaign file, a comma or
// a range makes an axis.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/measuring.h"
#include "advisor/cli/preset.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/words.h"
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

bool is_flag(std::string_view field) {
  return field == "serve" || field == "differential";
}

// "limit (a size like "512MiB")"
std::string help_of(const Field& field) {
  return is_flag(field.name) ? std::string(field.meaning)
                             : fmt::format("{} ({})", field.meaning, field.expected);
}

// What follows "--": the user's own program. An option of ours never does.
std::vector<std::string> take_command(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) {
    return {};
  }
  std::vector<std::string> words(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  if (words.empty()) {
    throw UsageError("what shall be run? write a program and its arguments after --");
  }
  return words;
}

std::string toml_list(const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) {
    list += (list.empty() ? "" : ", ") + toml_text(word);
  }
  return "[" + list + "]";
}

// What the options say, field by field.
FieldValues fields_of(const Values& values) {
  FieldValues fields;
  for (const auto& field : campaign_fields()) {
    const auto option = option_name(field.name);
    if (field.name != "name" && field.name != "command" && values.count(option) > 0) {
      const auto text = values[option].as<std::string>();
      fields.emplace_back(field.name, field.name == "network" ? network_meant(text) : text);
    }
  }
  if (values.count("onnx") > 0) {
    if (values.count("network") > 0) {
      throw UsageError("--onnx names the network, and so does --network; give one of them");
    }
    fields.emplace_back("network", values["onnx"].as<std::string>());
  }
  return fields;
}

// A program brings its own work; what is said of ours would be passed over in silence.
void refuse_work_beside_program(const FieldValues& fields) {
  constexpr std::array<std::string_view, 21> meant{
      "steps",       "differential",    "synthetic",  "items_per_step", "data_path",  "cpus",
      "memory",      "disk_read",       "disk_write", "disk_read_iops", "seconds",    "min_seconds",
      "warmup",      "disk_write_iops", "window",     "min_windows",    "min_epochs", "max_noise",
      "noise_limit", "timeout",         "repeats"};
  for (const auto& [field, text] : fields) {
    if (std::find(meant.begin(), meant.end(), field) == meant.end()) {
      throw UsageError(fmt::format(
          "--{} says what our own work is, and a program after -- brings its own; leave out one "
          "of them",
          option_name(field)));
    }
  }
}

// A preset fills in what was not said.
void add_missing(const Preset& preset, FieldValues& fields, Context& context) {
  for (const auto& wish : preset.fields) {
    const bool said = std::any_of(
        fields.begin(), fields.end(), [&](const auto& field) { return field.first == wish.first; });
    if (!said) {
      fields.push_back(wish);
    }
  }
  for (const auto& note : preset.notes) {
    context.err << note << "\n";
  }
}

// The campaign file that says the same.
std::string campaign_text(const FieldValues& fields,
                          const std::string& name,
                          const std::vector<std::string>& command) {
  std::string plain;
  std::string axes;
  for (const auto& [field, text] : fields) {
    const auto axis = is_one_value(field, text) ? std::nullopt : toml_axis(text);
    if (axis) {
      axes += (axes.empty() ? "" : ", ") + fmt::format("{} = {}", field, *axis);
    } else {
      plain += fmt::format("{} = {}\n", field, toml_value(text));
    }
  }
  if (!command.empty()) {
    plain += fmt::format("command = {}\n", toml_list(command));
  }
  return fmt::format("name = \"profile\"\n[[run]]\nname = {}\n{}{}",
                     toml_text(name),
                     plain,
                     axes.empty() ? "" : "axes = {" + axes + "}\n");
}

// The work whose GPU is to be replayed: what the fields say without the engine and the data.
Workload work_of(const FieldValues& fields) {
  FieldValues kept;
  for (const auto& field : fields) {
    const bool of_work = field.first == "network" || field.first == "phase" ||
                         field.first == "precision" || field.first == "batch" ||
                         field.first == "sequence";
    if (of_work) {
      kept.push_back(field);
    } else if (field.first == "serve") {
      kept.emplace_back("phase", "infer");
    } else if (field.first == "max_batch") {  // the size that the GPU's rate is of
      kept.emplace_back("batch", field.second);
    }
  }
  return parse_plan(campaign_text(kept, "work", {}), std::string(command_line))
      .runs.front()
      .workload;
}

void add_profile_options(Options& options) {
  add_measuring_options(options);
  options.add_options()("name", po::value<std::string>(), "of the runs");
  options.add_options()(
      "onnx", po::value<std::string>(), "a network of yours, the same as --network FILE.onnx");
  for (const auto& field : campaign_fields()) {
    if (field.name != "name" && field.name != "command") {
      auto* value = po::value<std::string>();
      options.add_options()(
          option_name(field.name).c_str(),
          is_flag(field.name) ? value->implicit_value("true")->zero_tokens() : value,
          help_of(field).c_str());
    }
  }
  options.add_options()("as",
                        po::value<std::string>(),
                        "vCPUs, memory and (replayed) GPU of an instance, such as aws/g5.xlarge")(
      "disk",
      po::value<std::string>(),
      "a disk class of the price tables and its size, such as gp3:500GiB, efficiency or nvme");
}

constexpr const char* smallest_network = "mnist-mlp";

bool replays_gpu(const Preset& preset) {
  return std::any_of(preset.fields.begin(), preset.fields.end(), [](const auto& field) {
    return field.first == "engine";
  });
}

// What --as and --disk stand for, where no field says otherwise.
void add_presets(const Values& values, bool is_program, FieldValues& fields, Context& context) {
  double scale = 1;
  std::string provider;
  std::string instance;
  if (values.count("as") > 0) {
    auto work = work_of(fields);
    work.network = is_program ? smallest_network : work.network;  // a program's memory is its own
    const auto preset = instance_preset(values["as"].as<std::string>(), work);
    if (is_program && replays_gpu(preset)) {
      throw UsageError(
          "--as: that instance has a GPU, which is replayed, and a program has its own; name one "
          "without, or --cpus and --memory");
    }
    scale = preset.scale;
    provider = preset.provider;
    instance = preset.instance;
    if (scale != 1 && values.count("serve") > 0) {
      throw UsageError(
          "--as and --serve: that machine has more vCPUs or memory than this one, and a server at "
          "a part of its size has other latencies; name --replay-items-per-s and --cpus, or ask "
          "rightsize simulate --serve");
    }
    add_missing(preset, fields, context);
  }
  if (values.count("disk") > 0) {
    add_missing(
        disk_preset(values["disk"].as<std::string>(), scale, provider, instance), fields, context);
  }
}

Plan plan_of(const std::string& campaign, const Values& values) {
  PlanOptions options;
  options.network_meant = network_meant;
  options.check_network = refuse_unknown_network;
  options.data_root = std::filesystem::current_path().string();
  options.no_throttle = values.count("no-throttle") > 0;
  return parse_plan(campaign, std::string(command_line), options);
}

}  // namespace

int run_profile(Context& context, const std::vector<std::string>& all_arguments) {
  auto arguments = all_arguments;
  const auto command = take_command(arguments);
  Options options("options");
  add_profile_options(options);
  const auto values = parse(context, "profile", options, {"network"}, arguments);
  auto fields = fields_of(values);
  if (!command.empty()) {
    refuse_work_beside_program(fields);
  }
  add_presets(values, !command.empty(), fields, context);
  UserCommand named;
  named.words = command;
  const auto usual = command.empty() ? std::string("profile") : short_name(named);
  const auto name = values.count("name") > 0 ? values["name"].as<std::string>() : usual;
  const auto plan = plan_of(campaign_text(fields, name, command), values);
  if (values.count("dry-run") == 0) {
    refuse_excess(plan);
  }
  auto how = campaign_options(values);
  how.keep_marks = true;  // those of a campaign that has measured the same
  return measure(
      context, values, {plan, how, 0, "rightsize profile " + shell_line(all_arguments), true});
}

}  // namespace rightsize::cli
