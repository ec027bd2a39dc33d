#include "profiler/campaign/slurm.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <sys/wait.h>

#include "kernels/onnx/onnx.h"
#include "profiler/serving/arrivals.h"
#include "profiler/store/journal.h"
#include "profiler/store/store.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct Answer {
  int code = 0;
  std::string text;
};

Answer ask(const std::string& command) {
  Answer answer;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    throw SlurmError(fmt::format("cannot start {}: out of processes or memory", command));
  }
  char buffer[4096];
  while (const auto count = fread(buffer, 1, sizeof buffer, pipe)) {
    answer.text.append(buffer, count);
  }
  const int status = pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  while (answer.text.ends_with('\n')) {
    answer.text.pop_back();
  }
  return answer;
}

// As a file or a job may be called.
std::string plain_name(std::string name) {
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    c = plain ? c : '_';
  }
  return name;
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) {
    throw SlurmError(fmt::format(
        "{}: cannot write the file: is the disk full, or the folder read-only?", path.string()));
  }
}

void make_full(std::string& path) {
  path = fs::absolute(path).lexically_normal().string();
}

// Paths in full: a task starts in a folder of Slurm's choice.
std::string runs_text(const std::vector<RunSpec>& runs) {
  json::array list;
  for (auto run : runs) {
    auto& work = run.workload;
    if (!work.data_path.empty()) {
      make_full(work.data_path);
    }
    if (is_network_file(work.network)) {
      make_full(work.network);
    }
    if (work.requests && !group_size_of(work.requests->arrivals)) {
      make_full(work.requests->arrivals);
    }
    list.push_back(to_json(run));
  }
  return json::serialize(list) + "\n";
}

// Slurm counts in minutes; one more, so that a task ends of itself and not by Slurm's hand.
int minutes_of(double seconds) {
  return static_cast<int>(std::ceil(seconds / 60)) + 1;
}

// Of the submissions that are still there; the user may have removed one in between.
std::set<int> job_numbers(const std::string& store_path, const std::string& campaign) {
  const auto prefix = plain_name(campaign) + ".";
  std::set<int> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(store_path + ".slurm", error)) {
    const auto name = entry.path().filename().string();
    const auto digits = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
    if (!digits.empty() && digits.size() < 9 &&
        digits.find_first_not_of("0123456789") == std::string::npos) {
      numbers.insert(std::stoi(digits));
    }
  }
  return numbers;
}

}  // namespace

std::vector<std::string> job_folders(const std::string& store_path, const std::string& campaign) {
  std::vector<std::string> folders;
  for (const int number : job_numbers(store_path, campaign)) {
    folders.push_back(fmt::format("{}.slurm/{}.{}", store_path, plain_name(campaign), number));
  }
  return folders;
}

std::string next_job_folder(const std::string& store_path, const std::string& campaign) {
  const auto numbers = job_numbers(store_path, campaign);
  return fmt::format("{}.slurm/{}.{}",
                     fs::absolute(store_path).string(),
                     plain_name(campaign),
                     numbers.empty() ? 1 : *numbers.rbegin() + 1);
}

std::string sbatch_script(const SlurmOptions& options,
                          const std::string& campaign,
                          const std::string& folder) {
  std::string text = "#!/bin/sh\n";
  const auto add = [&](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  add("--job-name=rightsize-" + plain_name(campaign));
  add(fmt::format("--array=1-{}", options.tasks));
  add("--requeue");    // a node died: its task starts again elsewhere
  add("--exclusive");  // a neighbour would spoil what is measured
  add("--open-mode=append");
  add(fmt::format("--output=\"{}/task-%a.out\"", folder));
  if (!options.partition.empty()) {
    add("--partition=" + options.partition);
  }
  if (!options.gres.empty()) {
    add("--gres=" + options.gres);
  }
  if (options.time_s > 0) {
    add(fmt::format("--time={}", minutes_of(options.time_s)));
    add("--signal=B:TERM@60");  // time for the run in progress to end
  }
  for (const auto& option : options.extra) {
    add(option);
  }
  // The number of parts is written out: Slurm's own count is that of the tasks left in a queue.
  text += fmt::format(
      "# A part of the campaign each; what the journals have is not made again.\n"
      "exec {} shard {} \"$SLURM_ARRAY_TASK_ID/{}\" --attempt \"${{SLURM_RESTART_COUNT:-0}}\"",
      shell_line({options.executable}),
      shell_line({folder}),
      options.tasks);
  return text + (options.arguments.empty() ? "" : " " + shell_line(options.arguments)) + "\n";
}

std::string submit(const SlurmOptions& options,
                   const std::string& campaign,
                   const std::string& folder,
                   const std::vector<RunSpec>& runs) {
  if (ask("command -v sbatch").code != 0) {
    throw SlurmError(
        "sbatch is not on the PATH: run this on a login node of the cluster, see the script with "
        "--dry-run, or measure here without --slurm");
  }
  const auto script = fs::path(folder) / "job.sh";
  std::string id;
  try {
    fs::create_directories(fs::path(folder) / "journals");
    write_text(fs::path(folder) / "runs.json", runs_text(runs));
    write_text(script, sbatch_script(options, campaign, folder));
    const auto answer = ask("sbatch --parsable " + shell_line({script.string()}));
    if (answer.code != 0) {
      throw SlurmError(fmt::format("sbatch refused the job: {}", answer.text));
    }
    // "17;cluster" where there are several; warnings come on lines before.
    const auto line = answer.text.substr(answer.text.find_last_of('\n') + 1);
    id = line.substr(0, line.find(';'));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    fs::remove(fs::path(folder).parent_path(), ignored);  // if it is empty now
    throw;
  }
  write_text(fs::path(folder) / "job.id", id + "\n");  // from here on the tasks need the folder
  return id;
}

std::vector<RunSpec> submitted_runs(const std::string& folder) {
  const auto path = (fs::path(folder) / "runs.json").string();
  boost::system::error_code error;
  const auto list = json::parse(read_text(path), error);
  if (error || !list.is_array()) {
    throw StoreError(fmt::format(
        "{}: expected the runs of a submission; was it made by rightsize campaign --slurm?", path));
  }
  std::vector<RunSpec> runs;
  for (const auto& element : list.get_array()) {
    runs.push_back(run_spec_from_json(element.as_object()));
  }
  return runs;
}

std::vector<Record> collected_records(const std::string& folder) {
  return read_journals((fs::path(folder) / "journals").string());
}

std::string journal_path(const std::string& folder, int task, int attempt) {
  return (fs::path(folder) / "journals" / fmt::format("{}.{}.jsonl", task, attempt)).string();
}

std::optional<std::string> queued_job(const std::string& folder) {
  auto id = read_text(fs::path(folder) / "job.id");
  id = id.substr(0, id.find('\n'));
  const auto answer = ask("squeue --noheader --format=%i --jobs=" + shell_line({id}));
  const bool unknown =
      answer.code == 127 || answer.text.find("Invalid job id") != std::string::npos;
  // A controller that does not answer is no reason to think that the job is through.
  return id.empty() || unknown || answer.text.empty() ? std::nullopt : std::optional(id);
}

}  // namespace rightsize
