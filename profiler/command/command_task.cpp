#include "profiler/command/command_task.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/command/child_program.h"
#include "profiler/command/last_words.h"
#include "profiler/command/left_programs.h"
#include "profiler/command/step_counter.h"
#include "profiler/command/unseen_steps.h"
#include "profiler/measure/clock.h"
#include "profiler/measure/fleeting_file.h"
#include "profiler/measure/process_tree.h"

namespace rightsize {
namespace {

constexpr double look_every_s = 0.02;   // at a file
constexpr double sample_every_s = 0.1;  // of the process tree: it costs a fraction of a millisecond
constexpr std::uint64_t megabyte = 1'000'000;
constexpr double cpu_steps_per_s = 100;

std::vector<std::string> variables_for(const RunSpec& spec) {
  std::vector<std::string> variables{
      fmt::format("RIGHTSIZE_STEP_FD={}", step_fd),
      "RIGHTSIZE_CELL=" + spec.name,
      supervisor_variable(getppid()),
      // A program that buffers what it prints hides its steps; Python's can be told from outside.
      "PYTHONUNBUFFERED=1"};
  if (spec.command.steps.source == StepSource::file) {
    variables.push_back("RIGHTSIZE_STEP_FILE=" + spec.command.steps.text);
  }
  if (spec.limits.cpus > 0) {
    variables.push_back(fmt::format("RIGHTSIZE_CPUS={:g}", spec.limits.cpus));
  }
  if (spec.limits.memory_bytes > 0) {
    variables.push_back(fmt::format("RIGHTSIZE_MEMORY_BYTES={}", spec.limits.memory_bytes));
  }
  const auto& own = spec.command.environment;
  variables.insert(variables.end(), own.begin(), own.end());
  return variables;
}

// Of the program and its children, those included that this worker has reaped.
double program_cpu_s() {
  rusage reaped{};
  getrusage(RUSAGE_CHILDREN, &reaped);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return read_descendants(getpid()).cpu_s + seconds(reaped.ru_utime) + seconds(reaped.ru_stime);
}

class CommandTask : public Task {
 public:
  explicit CommandTask(const RunSpec& spec)
      : spec_(spec), source_(spec.command.steps.source), file_(spec.command.steps.text) {
    if (source_ == StepSource::regex) {
      pattern_.emplace(spec.command.steps.text);
    }
    static_cast<void>(look_at_file());  // what an earlier run left there
    start();
    if (!next_news()) {
      throw std::runtime_error(fmt::format(
          "{} ended without a step: {}", name(), unseen_steps(spec_.command.steps, words_.text())));
    }
  }

  [[nodiscard]] TaskInfo info() const override {
    TaskInfo info;
    info.software["command"] = shell_line(spec_.command.words);
    info.software["steps"] = to_string(spec_.command.steps);
    return info;
  }

  TaskStep step() override {
    const auto news = next_news();
    TaskStep step;
    if (!news) {
      step.work_ended = true;
      return step;
    }
    step.steps = news->steps;
    step.items = news->items > 0
                     ? news->items
                     : news->steps * static_cast<std::size_t>(spec_.command.items_per_step);
    step.last_of_epoch = news->epoch_ended;
    if (news->loss) {
      step.result.loss = static_cast<float>(*news->loss);
    }
    return step;
  }

  [[nodiscard]] ProcessCounters counters() const override {
    const auto usage = read_process_tree(getpid());
    return {program_cpu_s(), usage.disk_read_bytes, usage.disk_written_bytes};
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (pattern_ && pattern_->two_counters()) {
      notes.emplace_back(
          "the pattern of --steps matches two counters, whose numbers fall and rise in turn, as of "
          "training and of evaluation: the steps of both are counted; a pattern with the words in "
          "front of one of them counts that alone");
    }
    const auto items = static_cast<std::uint64_t>(spec_.command.items_per_step);
    if (pattern_ && items > 1 && pattern_->steady_stride() == items) {
      notes.push_back(fmt::format(
          "the number of --steps rises by {0} each time, as many as a step is said to have items: "
          "where it counts items, the rate is {0} times too high, and --items-per-step 1 is right",
          items));
    }
    if (!unread_.empty()) {
      notes.push_back(fmt::format(
          "a line of the step protocol was no step: \"{}\"; it takes \"step\", or \"step N\" "
          "with the whole number of its items",
          unread_));
    }
    return notes;
  }

 private:
  [[nodiscard]] std::string name() const { return short_name(spec_.command); }

  void start() {
    child_.reset();
    child_ = std::make_unique<ChildProgram>(spec_.command.words, variables_for(spec_));
  }

  // nullopt: the program has ended, as programs do. Throws when it failed.
  std::optional<StepNews> next_news() {
    if (over_) {
      return std::nullopt;
    }
    for (;;) {
      const auto status = child_->ended();
      auto news = look(status ? 0 : patience_s());
      if (!news.empty()) {
        seen_ = true;
        return news;
      }
      refuse_what_only_prints();
      if (status) {
        return after(*status);
      }
    }
  }

  // A program that has printed so many lines, none of them a step, does not load any more: it is
  // looked at in the wrong way. What says less has its time, and a time-out asked for stands.
  void refuse_what_only_prints() {
    const double most_s = spec_.stop.max_s + 3;
    const bool might_be_late = seen_ || source_ == StepSource::exit || spec_.timeout_s > 0 ||
                               (pattern_ && pattern_->matched());
    if (!might_be_late && lines_ >= 1000 && clock_.now_s() - began_s_ > most_s) {
      throw std::runtime_error(fmt::format(
          "{} printed {} lines in {:.0f} s and showed no step: {}; --timeout waits longer",
          name(),
          lines_,
          most_s,
          unseen_steps(spec_.command.steps, words_.text())));
    }
  }

  [[nodiscard]] double patience_s() const {
    const bool sampled = source_ == StepSource::io || source_ == StepSource::cpu;
    return sampled ? sample_every_s : look_every_s;
  }

  std::optional<StepNews> after(int status) {
    if (WIFSIGNALED(status)) {
      throw std::runtime_error(fmt::format("{} was killed by signal {} ({}){}",
                                           name(),
                                           WTERMSIG(status),
                                           strsignal(WTERMSIG(status)),
                                           words_.quoted()));
    }
    if (WEXITSTATUS(status) != 0) {
      throw std::runtime_error(
          fmt::format("{} ended with code {}{}", name(), WEXITSTATUS(status), words_.quoted()));
    }
    if (source_ != StepSource::exit) {
      over_ = true;
      return std::nullopt;
    }
    start();
    StepNews news;
    news.steps = 1;
    return news;
  }

  StepNews look(double wait_s) {
    const auto heard = child_->listen(wait_s);
    StepNews news;
    if (pattern_) {
      output_.add(heard.output, [&](const std::string& line) { news.add(by_pattern(line)); });
    }
    words_.add(heard.output);
    lines_ += std::count(heard.output.begin(), heard.output.end(), '\n');
    protocol_.add(heard.protocol, [&](const std::string& line) {
      auto said = protocol_line(line);
      if (said.unread && unread_.empty()) {
        unread_ = line;
      }
      if (source_ != StepSource::protocol) {
        said.steps = said.items = 0;  // counted otherwise; epochs and losses are welcome
      }
      news.add(said);
    });
    news.add(look_at_file());
    news.add(look_at_usage());
    return news;
  }

  // The line of the first number, from which counting starts, is kept until a step was seen: who
  // waits for one is told that the pattern did match.
  StepNews by_pattern(const std::string& line) {
    const bool before = pattern_->matched();
    const auto news = pattern_->line(line);
    if (news.steps > 0) {
      words_.keep("");
    } else if (!before && pattern_->matched()) {
      words_.keep(line);
    }
    return news;
  }

  StepNews look_at_file() {
    if (source_ != StepSource::file) {
      return {};
    }
    return file_steps_.content(readable_text(file_));
  }

  StepNews look_at_usage() {
    if (source_ != StepSource::io && source_ != StepSource::cpu) {
      return {};
    }
    // Of the program alone: this worker reads what it prints, and /proc.
    const auto now = source_ == StepSource::io
                         ? read_descendants(getpid()).read_calls_bytes / megabyte
                         : static_cast<std::uint64_t>(program_cpu_s() * cpu_steps_per_s);
    most_used_ =
        std::max(most_used_, now);  // a child's count is lost for as long as it is a zombie
    return used_.see(most_used_);
  }

  RunSpec spec_;
  StepSource source_;
  std::string file_;
  std::optional<PatternSteps> pattern_;
  FileSteps file_steps_;
  RunningNumber used_{false};
  std::uint64_t most_used_ = 0;
  LineSplitter output_;
  LineSplitter protocol_;
  LastWords words_;
  std::string unread_;  // the first line of the protocol that was no step
  SteadyClock clock_;
  double began_s_ = clock_.now_s();
  std::int64_t lines_ = 0;  // that the program printed
  bool seen_ = false;       // any step
  bool over_ = false;
  std::unique_ptr<ChildProgram> child_;
};

}  // namespace

std::unique_ptr<Task> make_command_task(const RunSpec& spec) {
  adopt_orphans();
  return std::make_unique<CommandTask>(spec);
}

}  // namespace rightsize
