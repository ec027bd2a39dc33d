#include "profiler/command/step_counter.h"

#include <vector>

#include <doctest/doctest.h>

#include "profiler/command/example_line.h"
#include "profiler/command/shell_words.h"
#include "profiler/command/unseen_steps.h"
#include "profiler/command/user_command.h"
#include "profiler/measure/run_spec.h"

using namespace rightsize;

TEST_CASE("steps: a pattern with a number counts up to it, from the first one seen") {
  PatternSteps steps(R"(step (\d+))");
  CHECK(steps.line("loading").empty());
  CHECK(steps.line("step 300 loss 2.1").steps == 0);  // nobody saw the 300 before
  CHECK(steps.line("step 400 loss 2.0").steps == 100);
  CHECK(steps.line("step 450").steps == 50);
  const auto next_epoch = steps.line("step 100");
  CHECK(next_epoch.epoch_ended);
  CHECK(next_epoch.steps == 100);
}

namespace {

// The steps of the last `epochs` of one more, each of which prints `lines`.
std::uint64_t counted(const std::string& pattern,
                      const std::vector<std::string>& lines,
                      std::uint64_t epochs) {
  PatternSteps steps(pattern);
  for (const auto& line : lines) {  // where counting starts
    static_cast<void>(steps.line(line));
  }
  std::uint64_t sum = 0;
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
    for (const auto& line : lines) {
      const auto news = steps.line(line);
      sum += news.steps;
      CHECK(news.epoch_ended == (&line == &lines.front()));
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("steps: an epoch has as many, whether its numbers begin at 0 or at 1") {
  const std::string pattern = R"(step (\d+))";
  CHECK(counted(pattern, {"step 1", "step 2", "step 3"}, 4) == 12);
  CHECK(counted(pattern, {"step 0", "step 1", "step 2"}, 4) == 12);
}

TEST_CASE("steps: a number that always rises by the same is known to, once it did so often") {
  const auto stride = [](const std::vector<int>& numbers) {
    PatternSteps steps(R"(seen (\d+))");
    for (const int number : numbers) {
      static_cast<void>(steps.line("seen " + std::to_string(number)));
    }
    return steps.steady_stride();
  };
  CHECK(stride({128, 256, 384, 512, 640}) == 128);
  CHECK(stride({128, 256, 384, 512}) == 0);
  CHECK(stride({128, 256, 384, 500, 640, 768}) == 0);
  CHECK(stride({1, 2, 3, 4, 1, 2, 3, 4}) == 1);                    // epoch by epoch
  CHECK(stride({128, 256, 384, 512, 600, 128, 256, 384}) == 128);  // whose last batch is smaller
  CHECK(stride({128, 256, 256, 384, 512, 640}) == 128);            // told twice
}

TEST_CASE("steps: where an epoch's total is printed, it says how many there were") {
  const std::string pattern = R"(\b(\d+) */)";
  CHECK(counted(pattern, {"1/3", "2/3", "3/3"}, 4) == 12);
  CHECK(counted(pattern, {"0/3", "1/3", "2/3"}, 4) == 12);
  CHECK(counted(pattern, {"0%| | 0/3 [00:00", "50%|# | 2/3 [00:01", "100%|##| 3/3 [00:02"}, 4) ==
        12);
  CHECK(counted(pattern, {"0 / 5,500", "1000 / 5,500", "5000 / 5,500"}, 4) == 22'000);
  CHECK(counted(pattern, {"10/0", "20/0"}, 4) == 80);  // a total that is none
}

TEST_CASE("steps: a mark between thousands is no end of the number") {
  for (const std::string mark : {",", "_", "'"}) {
    PatternSteps steps(R"(step ([\d,_']+))");
    CHECK(steps.line("step 990").steps == 0);
    CHECK(steps.line("step 1" + mark + "000").steps == 10);
    CHECK(steps.line("step 1" + mark + "234" + mark + "567").steps == 1'233'567);
  }
  for (const auto* odd : {"1,00", ",100", "1000,000", "1,000_000", "1,", "1,0,0"}) {
    PatternSteps steps(R"(step ([\d,_]+))");
    CAPTURE(odd);
    CHECK(steps.line(std::string("step ") + odd).steps == 1);  // a match, and no number
  }
}

TEST_CASE("steps: thousands behind digits that a pattern asks for are the number's") {
  for (const std::string mark : {",", "_", "'"}) {
    PatternSteps steps(R"(step (\d+))");
    CHECK(steps.line("step 990").steps == 0);
    CHECK(steps.line("step 1" + mark + "000, loss 2").steps == 10);
    CHECK(steps.line("step 1" + mark + "234" + mark + "567.").steps == 1'233'567);
    CHECK(steps.line("step 1" + mark + "234" + mark + "569/2" + mark + "000").steps == 2);
  }
  PatternSteps table(R"(^(\d+))");  // of a table's row the first alone
  CHECK(table.line("11,345,0.5").steps == 0);
  CHECK(table.line("12,345,0.5").steps == 1);
  CHECK(table.line("13,345.5").steps == 1);
}

TEST_CASE("steps: two counters under one pattern are told, and the way back to one is no step") {
  PatternSteps steps(R"(step (\d+))");
  std::uint64_t sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 1; i <= 20; ++i) {
      sum += steps.line("train step " + std::to_string(20 * turn + i)).steps;
    }
    CHECK(steps.two_counters() == (turn > 0));
    for (int i = 1; i <= 10; ++i) {
      sum += steps.line("eval step " + std::to_string(i)).steps;
    }
  }
  CHECK(sum == 3 * 20 + 3 * 10 - 1);
  PatternSteps totals(R"(step (\d+))");
  CHECK(totals.line("train step 20/100").steps == 0);
  CHECK(totals.line("eval step 1/10").steps == 1);
  CHECK(totals.two_counters());
}

TEST_CASE("steps: an epoch that is longer than the one before it is one counter") {
  PatternSteps steps(R"(step (\d+))");
  for (const auto* line : {"step 90", "step 180", "step 190", "step 80", "step 150"}) {
    static_cast<void>(steps.line(line));
  }
  CHECK(steps.line("step 240").steps == 90);
  CHECK(!steps.two_counters());
}

TEST_CASE("steps: a pattern without a number counts matches") {
  PatternSteps steps("^done (.*)$");
  CHECK(steps.line("done a").steps == 1);
  CHECK(steps.line("undone").steps == 0);
  CHECK(steps.line("done 7b").steps == 1);
}

TEST_CASE("steps: the line protocol") {
  CHECK(protocol_line("step").steps == 1);
  CHECK(protocol_line("step").items == 0);
  CHECK(protocol_line("step 64").items == 64);
  CHECK(protocol_line("epoch").epoch_ended);
  CHECK(protocol_line("loss 1.25").loss == 1.25);
  CHECK(protocol_line("loss nan").empty());
  CHECK(protocol_line("stepping").empty());
  for (const auto* none : {"step abc", "step -5", "step 5 items"}) {
    CHECK(protocol_line(none).steps == 0);
    CHECK(protocol_line(none).unread);
  }
  CHECK(!protocol_line("foo").unread);
  CHECK(protocol_line("").empty());
}

TEST_CASE("steps: a file says a number, or grows by lines") {
  FileSteps number;
  CHECK(number.content("12\n").steps == 12);
  CHECK(number.content("12\n").empty());
  CHECK(number.content("15").steps == 3);
  CHECK(number.content("").empty());  // being rewritten
  CHECK(number.content("16").steps == 1);
  CHECK(number.content("17\n18\n1").steps == 2);  // the last line is still being written
  FileSteps lines;
  CHECK(lines.content("").empty());
  CHECK(lines.content("a\nb\n").steps == 2);
  CHECK(lines.content("a\nb\nc").empty());  // the third is not finished
  CHECK(lines.content("a\nb\nc\n").steps == 1);
}

TEST_CASE("steps: lines end at newlines and at the carriage returns of progress bars") {
  LineSplitter splitter;
  std::vector<std::string> lines;
  const auto take = [&](const std::string& line) { lines.push_back(line); };
  splitter.add("on", take);
  splitter.add("e\rtwo\r\nthr", take);
  splitter.add("ee", take);
  CHECK(lines == std::vector<std::string>{"one", "two"});
}

TEST_CASE("steps: a line that is too long is cut into pieces, and no byte of it is lost") {
  LineSplitter splitter;
  std::vector<std::string> pieces;
  std::string digits;
  for (int i = 0; i < 2500; ++i) {
    digits += static_cast<char>('0' + i % 10);
  }
  splitter.add(digits + "\nstep 1\n", [&](const std::string& line) { pieces.push_back(line); });
  REQUIRE(pieces.size() == 4);
  CHECK((pieces[0] + pieces[1] + pieces[2] == digits));  // in brackets: not printed
  CHECK(pieces[0].size() == 1024);
  CHECK(pieces[3] == "step 1");
}

TEST_CASE("steps: rules are read and printed alike, nonsense is refused") {
  for (const auto* text :
       {"protocol", R"(regex:step (\d+))", "file:/tmp/steps", "io", "cpu", "exit"}) {
    CAPTURE(text);
    const auto rule = parse_step_rule(text);
    REQUIRE(rule);
    CHECK(to_string(*rule) == text);
  }
  for (const auto* text : {"", "regex", "regex:", "regex:(", "io:x", "lines"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_step_rule(text));
  }
}

TEST_CASE("user command: a shell line pastes back") {
  CHECK(shell_line({"python3", "train.py", "--lr=0.1"}) == "python3 train.py --lr=0.1");
  CHECK(shell_line({"sh", "-c", "echo 'a b'"}) == R"(sh -c 'echo '\''a b'\''')");
  CHECK(shell_line({"a", ""}) == "a ''");
}

TEST_CASE("user command: a shell line is taken apart as a shell does, and put together again") {
  using Words = std::vector<std::string>;
  CHECK(shell_words("python3  train.py\t--lr=0.1 ") == Words{"python3", "train.py", "--lr=0.1"});
  CHECK(shell_words("python3 -c \"import time; time.sleep(1)\"") ==
        Words{"python3", "-c", "import time; time.sleep(1)"});
  CHECK(shell_words(R"(a 'b "c" \n'"d"\ e "" "\"\x")") ==
        Words{"a", R"(b "c" \nd e)", "", R"("\x)"});
  CHECK(shell_words("")->empty());
  for (const auto* unfinished : {"a \"b", "a 'b", "a\\", "a \"b\\\""}) {
    CAPTURE(unfinished);
    CHECK_FALSE(shell_words(unfinished));
  }
  for (const auto& words : {Words{"sh", "-c", "echo 'a b'"}, Words{"a", "", "b\"c\\d"}}) {
    CHECK(shell_words(shell_line(words)) == words);
  }
}

TEST_CASE("user command: the short name is the script, or the program") {
  CHECK(short_name({{"python3", "-u", "src/train.py", "x.txt"}, {}, 1}) == "train.py");
  CHECK(short_name({{"/usr/bin/python3", "-c", "pass"}, {}, 1}) == "python3");
  CHECK(short_name({{"python3", "-c", "print(1.5)"}, {}, 1}) == "python3");
  CHECK(short_name({{"./a.out", "train.py"}, {}, 1}) == "a.out");
}

TEST_CASE("user command: programs are found as a shell finds them") {
  CHECK(find_program("sh"));
  CHECK(find_program("/bin/sh") == "/bin/sh");
  CHECK_FALSE(find_program("/etc/passwd"));  // not executable
  CHECK_FALSE(find_program("no-such-program-here"));
}

TEST_CASE("unseen steps: what was waited for, the last lines printed, and one that would count") {
  const StepRule pattern{StepSource::regex, R"(step (\d+))"};
  CHECK(
      unseen_steps(pattern, "loading\n  epoch 1\r\n\n") ==
      R"(no line that it printed matched --steps regex:step (\d+); the last lines were "loading", )"
      R"("  epoch 1"; a line such as "step 1" would be a step)");
  CHECK(unseen_steps(pattern, "one\ntwo\nthree\nfour").find("were \"two\", \"three\", \"four\";") !=
        std::string::npos);
  CHECK(unseen_steps(pattern, "Step 7\n").find("in capital letters only") != std::string::npos);
  CHECK(unseen_steps(pattern, "step 1\nsaving").find("no second one came") != std::string::npos);
  CHECK(unseen_steps({StepSource::protocol, ""}, "")
            .find("(--steps protocol, the default); it printed nothing; say how") !=
        std::string::npos);
  const StepRule file{StepSource::file, "/tmp/n"};
  CHECK(unseen_steps(file, ShownInstead{"x", true})
            .starts_with("--steps file:/tmp/n: the file showed no step; the last line was \"x\""));
  CHECK(unseen_steps(file, ShownInstead{"x", false})
            .starts_with("--steps file:/tmp/n: there is no such file; "));
  CHECK(last_line(" \n").empty());
  CHECK(last_line("one\rtwo\n") == "two");
  CHECK(last_line(std::string(500, 'a')) == std::string(120, 'a') + "...");
}

TEST_CASE("example line: matches its pattern, or there is none") {
  const std::vector<std::pair<std::string, std::string>> known{
      {R"(step (\d+))", "step 1"},
      {R"(^\[(\d+)/\d+\]\s*loss)", "[1/1] loss"},
      {R"(Epoch.*?it(eration|er)? ([0-9]{3}))", "Epochit 111"},
      {R"((?:batch|iter):\t[[:alpha:]_]+)", "batch:\ta"},
      {R"(\bdone\.)", "done."},
      {"[^a-z] x+", "1 x"}};
  for (const auto& [pattern, line] : known) {
    CAPTURE(pattern);
    CHECK(example_line(pattern) == line);
  }
  CHECK_FALSE(example_line(R"((a)\1)"));
  CHECK_FALSE(example_line("(?=x)y"));
  CHECK_FALSE(example_line("$ after the end"));  // matches nothing at all
  CHECK_FALSE(example_line(".*"));
  CHECK_FALSE(example_line("(unclosed"));
}

TEST_CASE("run spec: the first step has the time to measure and to load, or what was asked for") {
  RunSpec spec;
  spec.command.words = {"train"};
  CHECK(first_step_timeout_of(spec, 30) == 40);
  spec.limits.cpus = 0.5;
  CHECK(first_step_timeout_of(spec, 30) == 70);
  spec.limits.cpus = 0.1;
  CHECK(first_step_timeout_of(spec, 30) == timeout_of(spec));
  spec.limits.cpus = 4;
  CHECK(first_step_timeout_of(spec, 30) == 40);
  spec.timeout_s = 500;
  CHECK(first_step_timeout_of(spec, 30) == 500);
  spec.timeout_s = 0;
  spec.command.steps.source = StepSource::exit;
  CHECK(first_step_timeout_of(spec, 30) == 90);
}
