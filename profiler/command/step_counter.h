// Steps from what a program prints, writes or uses. Pure parsers and counters: no process, no
// clock.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace rightsize {

// What was learned at one look.
struct StepNews {
  std::uint64_t steps = 0;  // finished since the last look
  std::uint64_t items = 0;  // in them, where the program says so; 0: steps x items per step
  bool epoch_ended = false;
  std::optional<double> loss;
  bool unread = false;  // a line of the protocol whose number is none

  void add(const StepNews& other);
  [[nodiscard]] bool empty() const { return steps == 0 && !epoch_ended && !loss; }
};

// A number that grows while the program works. One that falls has been started anew, with the next
// epoch; the first one seen is where counting starts, since nobody saw the steps before it.
//
// Where the epoch's `total` was said ("12/50"), the steps up to it were finished by then. Where
// not, an epoch that begins with 0 is one of a loop that counts from there (enumerate): its 0 is a
// step.
//
// Two counters under one pattern (training's 20, evaluation's 1 to 10, training's 21) are told by a
// number that falls and then leaps to just above its earlier height, or by a total that changes:
// the leap is not counted.
class RunningNumber {
 public:
  // starts_at_zero: of a program that says how many it has finished, from none on.
  explicit RunningNumber(bool starts_at_zero) : zero_is_step_(!starts_at_zero) {
    if (starts_at_zero) {
      last_ = 0;
    }
  }
  StepNews see(std::uint64_t number, std::optional<std::uint64_t> total = {});
  [[nodiscard]] bool two_counters() const { return two_counters_; }
  // By how much it rose each time, where that was always the same and often enough to tell, but for
  // the last rise of an epoch, which may be of fewer; 0 else.
  [[nodiscard]] std::uint64_t steady_stride() const;

 private:
  void note_rise(std::uint64_t rise);
  StepNews fall(std::uint64_t number, std::optional<std::uint64_t> total);
  [[nodiscard]] bool takes_up_another(std::uint64_t number) const;

  bool zero_is_step_;
  bool two_counters_ = false;
  std::uint64_t stride_ = 0;          // the largest so far
  std::uint64_t last_rise_ = 0;       // which the next fall shows to be an epoch's last
  std::uint64_t least_ = UINT64_MAX;  // of the rises before another one
  std::uint64_t largest_ = 0;
  int rises_ = 0;
  std::optional<std::uint64_t> height_;  // before it last fell
  std::optional<std::uint64_t> last_;
  std::optional<std::uint64_t> total_;
};

// Lines that match a pattern. A first group that holds a whole number ("1200" or "1,200") is a
// RunningNumber, so that a program which prints every hundredth step counts right; else each match
// is one step. Thousands behind a match that ends with its digits ("step 10" of "step 10,000") are
// the number's.
class PatternSteps {
 public:
  // Throws std::regex_error.
  explicit PatternSteps(const std::string& pattern) : pattern_(pattern) {}
  StepNews line(const std::string& text);
  // Whether any line has matched, be it only the first number, from which counting starts.
  [[nodiscard]] bool matched() const { return matched_; }
  [[nodiscard]] bool two_counters() const { return number_.two_counters(); }
  [[nodiscard]] std::uint64_t steady_stride() const { return number_.steady_stride(); }

 private:
  std::regex pattern_;
  RunningNumber number_{false};
  bool matched_ = false;
};

// Why `pattern` is no regular expression, as the C++ library says it; empty when it is one.
[[nodiscard]] std::string pattern_problem(const std::string& pattern);

// The line protocol: "step", "step 64" (with the items of the step), "epoch", "loss 1.25".
// Other lines say nothing, nor does "step abc", which is marked as unread.
[[nodiscard]] StepNews protocol_line(std::string_view text);

// A file that the program writes, by its whole content: the number of its last line when that is
// one, else the count of complete lines.
class FileSteps {
 public:
  StepNews content(std::string_view text);

 private:
  RunningNumber number_{true};
};

// Cuts a stream of bytes into lines; a carriage return ends one too, as progress bars print it.
class LineSplitter {
 public:
  // Calls `line` for each complete line in `bytes`, continued from earlier calls. A line longer
  // than 1 KiB is cut: std::regex needs stack for every character, and time for their square.
  template <typename Function>
  void add(std::string_view bytes, Function&& line) {
    for (const char c : bytes) {
      const bool ends = c == '\n' || c == '\r';
      if (ends || rest_.size() >= longest) {
        if (!rest_.empty()) {
          line(rest_);
        }
        rest_.clear();
      }
      if (!ends) {
        rest_ += c;
      }
    }
  }

 private:
  static constexpr std::size_t longest = 1024;
  std::string rest_;
};

}  // namespace rightsize
