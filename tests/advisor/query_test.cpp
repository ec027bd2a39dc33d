#include "advisor/query/query.h"

#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/query/job_keys.h"
#include "advisor/query/saved_document.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

class JobFile {
 public:
  // With a [job] of defaults behind a text that has none.
  explicit JobFile(const std::string& text) : path_(folder_ / "job.toml") {
    std::ofstream(path_) << text << (text.find("[job") == std::string::npos ? "\n[job]\n" : "");
  }
  [[nodiscard]] Query load() const { return load_query(path_); }
  [[nodiscard]] std::string error() const {
    try {
      static_cast<void>(load());
    } catch (const UsageError& what) {
      const std::string message = what.what();
      return message.substr(message.find("job.toml") + 8);
    }
    return "no error";
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

const std::string data = "[data]\nitems = 1000\nbytes = \"110MB\"\n";

}  // namespace

TEST_CASE("query: the demo's job file says what it says") {
  const auto query = load_query(std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml");
  CHECK(query.network == "resnet50");
  CHECK(query.items == 1281167);
  CHECK(query.epochs == 90);
  CHECK(query.dataset_bytes == 140'000'000'000);
  CHECK(query.deadline_s == 48 * 3600);
  CHECK(query.currency == "USD");
  CHECK(query.batches == std::vector<int>{128, 256});
}

TEST_CASE("query: networks go by the names that flags and tables read") {
  CHECK(JobFile("[job]\nnetwork = \"ResNet-50\"\n" + data).load().network == "resnet50");
  CHECK(JobFile("[job]\nnetwork = \"llama-3-8b\"\n" + data).load().network == "llama-8b");
}

TEST_CASE("query: errors name file, line, column, what was expected and what was seen") {
  CHECK(JobFile("[job]\nbatch_per_gpu = \"64\"\n" + data).error() ==
        ":2:17: batch_per_gpu = \"64\": expected an integer or an array of integers, saw a string");
  CHECK(JobFile("[job]\nphase = \"dream\"\n" + data).error() ==
        ":2:9: phase = \"dream\": expected \"train\", \"infer\", \"preprocess\" or, of a "
        "language model, \"decode\"");
  CHECK(JobFile("[job]\nbatch_per_gup = 64\n" + data).error() ==
        ":2:1: unknown key \"batch_per_gup\", did you mean \"batch_per_gpu\"?");
  CHECK(JobFile("[job]\nnetwork = \"resnet5\"\n" + data)
            .error()
            .starts_with(":2:11: job.network: unknown network \"resnet5\". Did you mean"));
  CHECK(JobFile("[job]\nnetwork = \"bert-base\"\nsequence = 600\n" + data).error() ==
        ":3:12: job.sequence: network bert-base: a sequence of 600 tokens; it was trained for 512, "
        "use at most that");
  CHECK(JobFile(data + "[constraints]\ninfra = [\"aws\", \"gcp/\"]\n")
            .error()
            .starts_with(":5:9: constraints.infra \"gcp/\": expected one PROVIDER"));
  CHECK(JobFile(data + "[constraints]\nconfidence = \"90\"\n").error() ==
        ":5:14: confidence = \"90\": expected a number between 0 and 1, or a percentage such as "
        "\"90%\"");
  CHECK(JobFile(data + "[constraints]\nconfidence = \"90%\"\n").load().confidence == 0.9);
  const auto euros = JobFile(data + "[constraints]\nbudget = \"300 EUR\"\n").load();
  CHECK(euros.budget == Money::parse("300", "EUR"));  // for flags to say what they are in dollars
  CHECK(euros.budget_said_by.find("job.toml:5:10: constraints.budget") != std::string::npos);
  CHECK(JobFile("[data]\nbytes = \"1GB\"\n").error() ==
        ": data.items is missing: expected the number of items (images, sequences), at least 1");
  CHECK(JobFile("[data]\nitem = 10\nbyte = \"1GB\"\n")
            .error()
            .find("unknown key \"byte\", did you mean") != std::string::npos);
  CHECK(JobFile("[job\n").error().starts_with(":1:"));
  CHECK(JobFile("[job]\nepochs = 1\nepochs = 2\n" + data)
            .error()
            .find("\"epochs\" is in the file twice") != std::string::npos);
  CHECK(JobFile(data + "[constraints]\ndeadline = \"soon\"\n").error() ==
        ":5:12: constraints.deadline = \"soon\": expected a duration above 0 such as 90s, "
        "10m, 32h, 1h30m, 2d or 1:30:00");
}

TEST_CASE("query: a service of no load, of too much, or with a deadline is refused by its line") {
  const auto error = [](const std::string& qps, const std::string& more) {
    return JobFile("[job]\nphase = \"infer\"\n[service]\np99 = \"50ms\"\nqps = " + qps + "\n" +
                   more)
        .error();
  };
  CHECK(error("10", "") == "no error");
  for (const std::string qps : {"0", "-1", "1e-7", "1e8"}) {
    CAPTURE(qps);
    CHECK(error(qps, "").starts_with(":5:7: qps"));
    CHECK(error(qps, "").find("expected requests per second, from 0.000001 to 10 million") !=
          std::string::npos);
  }
  const auto late = error("10", "[constraints]\ndeadline = \"1h\"\n");
  CHECK(late.starts_with(":7:12: deadline"));
  CHECK(late.find("expected no deadline of a service") != std::string::npos);
}

TEST_CASE("query: a key of a service misspelt or by another's name is named, not what is missing") {
  const auto error = [](const std::string& lines) {
    return JobFile("[job]\nphase = \"decode\"\nnetwork = \"gpt2\"\n[service]\nqps = 1\n" + lines)
        .error();
  };
  CHECK(error("promt_tokens = 9\noutput_tokens = 9\ntoken = \"50ms\"\n") ==
        ":6:1: unknown key \"promt_tokens\", did you mean \"prompt_tokens\"?");
  const std::string lengths = "prompt_tokens = 9\noutput_tokens = 9\n";
  CHECK(error(lengths + "ttft = \"1s\"\n") ==
        ":8:1: unknown key \"ttft\", did you mean \"first_token\"?");
  for (const std::string name : {"tpot", "itl"}) {
    CHECK(error(lengths + name + " = \"50ms\"\n") ==
          ":8:1: unknown key \"" + name + "\", did you mean \"token\"?");
  }
  CHECK(error(lengths + "requests_per_second = 5\n") ==
        ":8:1: unknown key \"requests_per_second\", did you mean \"qps\"?");
  CHECK(error(lengths + "latency = \"1s\"\n")
            .find("unknown key \"latency\", did you mean \"p99\", with phase = \"infer\" in [job] "
                  "or \"token\", with phase = \"decode\" in [job]?") != std::string::npos);
  CHECK(JobFile("[job]\nphase = \"infer\"\nnetwork = \"gpt2\"\n[service]\nqps = 1\np99_ms = 9\n")
            .error() == ":6:1: unknown key \"p99_ms\", did you mean \"p99\"?");
  CHECK(JobFile(data + "[[measured]]\ngpu = \"T4\"\nrate = 5\n")
            .error()
            .find("unknown key \"rate\", did you mean \"items_per_s\"?") != std::string::npos);
  CHECK(JobFile("[job]\nphase = \"infer\"\nmodel = \"gpt2\"\n").error() ==
        ":3:1: unknown key \"model\", did you mean \"network\"?");
  CHECK(error(lengths + "p99 = \"1s\"\n") ==
        ":8:1: unknown key \"p99\", which goes with phase = \"infer\" in [job]");
  CHECK(JobFile(data + "[constraints]\nttft = \"1s\"\n").error() ==
        ":5:1: unknown key \"ttft\", did you mean \"first_token\" under [service]?");
  CHECK(JobFile(data + "[[measured]]\ngpus = \"T4\"\n").error() ==
        ":5:1: unknown key \"gpus\", did you mean \"gpu\"?");
}

TEST_CASE("query: a bare number where a unit is wanted is told the form that is read") {
  const auto error = [](const std::string& line) {
    return JobFile(data + "[constraints]\n" + line + "\n").error();
  };
  CHECK(error("budget = 5") ==
        ":5:10: budget = 5: expected a decimal in quotes such as \"250.00\" or \"250 USD\", "
        "saw an integer");
  CHECK(error("deadline = 48") ==
        ":5:12: deadline = 48: expected a duration in quotes such as \"90s\", \"10m\" or "
        "\"32h\", saw an integer");
  for (const auto* key : {"objective", "network", "book"}) {
    CAPTURE(key);
    CHECK(error(fmt::format("{} = 1", key)).find("in quotes such as \"") != std::string::npos);
  }
}

TEST_CASE("query: a key that says less or more than ours is told which are") {
  const auto error = [](const std::string& line) {
    return JobFile(data + "[constraints]\n" + line + "\n").error();
  };
  CHECK(error("memory_max = 64") ==
        ":5:1: unknown key \"memory_max\", did you mean \"memory_gib_max\"?");
  CHECK(error("memory = 64") ==
        ":5:1: unknown key \"memory\", did you mean \"memory_gib_max\" or \"memory_gib_min\"?");
  CHECK(error("deadline_hours = 4") ==
        ":5:1: unknown key \"deadline_hours\", did you mean \"deadline\"?");
  const auto listed = error("colour = 1");
  CHECK(listed.starts_with(":5:1: unknown key \"colour\"; the keys here are allow, "));
  CHECK(listed.ends_with(", vcpus_max, vcpus_min"));
}

TEST_CASE("query: a format the network does not read is refused with what it reads") {
  const auto error = [](const std::string& network, const std::string& format) {
    return JobFile("[job]\nnetwork = \"" + network + "\"\n[data]\nitems = 10\nformat = \"" +
                   format + "\"\nbytes = \"1GB\"\n")
        .error();
  };
  for (const auto* format : {"tokens", "mnist", "cifar"}) {
    CAPTURE(format);
    CHECK(error("resnet50", format) ==
          std::string(":5:10: format = \"") + format +
              "\": expected what resnet50 reads, which is pictures of 3x224x224: jpeg, recordio, "
              "lmdb, tfrecord or synthetic");
  }
  CHECK(error("mnist-cnn", "cifar").find("pictures of 1x28x28: mnist, jpeg") != std::string::npos);
  CHECK(error("gpt2", "jpeg").find("what gpt2 reads, which is tokens: tokens, ") !=
        std::string::npos);
  CHECK(error("resnet50", "parquet") ==
        ":5:10: format = \"parquet\": expected one of synthetic, jpeg, recordio, lmdb, tfrecord, "
        "mnist, cifar, tokens");
  for (const auto& [network, format] : {std::pair("gpt2", "tokens"),
                                        std::pair("gpt2", "tfrecord"),
                                        std::pair("mnist-mlp", "mnist"),
                                        std::pair("cifar10-convnet", "cifar")}) {
    CHECK(error(network, format) == "no error");
  }
}

TEST_CASE("query: pictures that are held in memory are not read, as predict takes them") {
  const JobFile job(
      "[job]\nnetwork = \"mnist-cnn\"\n[data]\nitems = 60000\nformat = \"mnist\"\nbytes = "
      "\"55MB\"\n");
  CHECK(job.load().format == DataFormat::synthetic);
}

TEST_CASE("query: amounts that cannot be are refused where they stand") {
  const auto error = [](const std::string& key, const std::string& value) {
    const bool of_data = key == "bytes";
    return JobFile((key == "epochs" ? "[job]\nepochs = " + value + "\n" : "") +
                   "[data]\nitems = 1281167\nbytes = " + (of_data ? value : "\"140GB\"") + "\n" +
                   (key.starts_with("gpus") ? "[constraints]\n" + key + " = " + value + "\n" : ""))
        .error();
  };
  CHECK(
      error("bytes", "\"1B\"") ==
      ":3:9: bytes = \"1B\": expected the size of the whole data set, a byte at least for each of "
      "its 1281167 items");
  for (const auto* size : {"\"40EB\"", "\"many\"", "\"40\"", "\"4000000TB\""}) {
    CAPTURE(size);
    CHECK(
        error("bytes", size) ==
        std::string(":3:9: bytes = ") + size +
            ": expected a size with its unit, such as \"140GB\" or \"512MiB\": B, kB, MB, GB, TB, "
            "KiB, MiB, GiB or TiB, and less than a million TB");
  }
  CHECK(
      error("epochs", "1e-300") ==
      ":2:10: epochs = 1e-300: expected a number of at least 7.8e-07, one of the 1281167 items of "
      "[data]");
  CHECK(error("epochs", "1e300").find("above 0 and at most 1e+09") != std::string::npos);
  CHECK(error("epochs", "9999999999999999").find("above 0 and at most 1e+09") != std::string::npos);
  CHECK(error("epochs", "nan") == ":2:10: epochs = nan: expected a finite number");
  CHECK(error("epochs", "-inf") == ":2:10: epochs = -inf: expected a finite number");
  CHECK(error("epochs", "\"1\"").find("expected a number, saw a string") != std::string::npos);
  CHECK(error("epochs", "0.5") == "no error");
  CHECK(error("gpus_min", "-1") == ":5:12: gpus_min = -1: expected a number that is not negative");
  CHECK(JobFile("[job]\nsequence = 1.5\n" + data)
            .error()
            .ends_with("expected an integer, saw a floating-point number"));
}

TEST_CASE("query: a key in the wrong table is told where it belongs") {
  CHECK(JobFile("[job]\npreprocess_on = \"gpu\"\n" + data).error() ==
        ":2:1: unknown key \"preprocess_on\", which belongs under [data]");
  CHECK(JobFile("deadline = \"3h\"\n" + data).error() ==
        ":1:1: unknown key \"deadline\", which belongs under [constraints]");
  CHECK(JobFile(data + "name = \"x\"\n").error() ==
        ":4:1: unknown key \"name\", which belongs at the top, before any table");
  CHECK(JobFile(data + "network = \"resnet50\"\n").error() ==
        ":4:1: unknown key \"network\", which belongs under [job] or under [constraints]");
  CHECK(JobFile("[job]\nweights = \"fp8\"\n" + data).error() ==
        ":2:1: unknown key \"weights\", which goes with phase = \"decode\" in [job], or "
        "\"infer\" of a model that makes pictures or writes what it is asked for, as Whisper does");
  CHECK(JobFile(data + "weights = \"fp8\"\n").error() ==
        ":4:1: unknown key \"weights\", which belongs under [job], with phase = \"decode\" in "
        "[job], or "
        "\"infer\" of a model that makes pictures or writes what it is asked for, as Whisper does");
}

TEST_CASE("query: every key of the list is read where the list says") {
  for (const auto& known : job_keys()) {
    const bool of_spot = known.table == "spot";
    const std::string key(known.key);
    CAPTURE(key);
    const auto elsewhere =
        JobFile(fmt::format("[{}]\n{} = 1\n{}", of_spot ? "money" : "spot", key, data)).error();
    CHECK(elsewhere.find(known.table.empty() ? "at the top" : fmt::format("[{}]", known.table)) !=
          std::string::npos);
    if (!known.with.empty()) {
      continue;  // needs more than itself
    }
    const auto table = known.table.empty() ? "" : fmt::format("[{}]\n", known.table);
    const auto here =
        JobFile(fmt::format("{}{} = []\n{}", table, key, known.table == "data" ? "" : data))
            .error();
    CHECK(here.find("unknown key") == std::string::npos);
  }
}

namespace {

// What a list of values begins with, as TOML: "64 or [64, 128]; ..." -> 64.
std::string first_value(const std::string& values) {
  const std::map<char, char> closing{{'"', '"'}, {'[', ']'}, {'{', '}'}};
  const auto bracket = closing.find(values.front());
  return bracket == closing.end() ? values.substr(0, values.find_first_of(" ;"))
                                  : values.substr(0, values.find(bracket->second, 1) + 1);
}

}  // namespace

TEST_CASE("query: every key of the list says what it means, with a value that is one") {
  for (const auto& known : job_keys()) {
    CAPTURE(known.key);
    CHECK(!known.meaning.empty());
    REQUIRE(!known.value.empty());
    if (!known.with.empty() || known.table == "measured") {
      continue;  // needs more than itself
    }
    const auto line = fmt::format("{} = {}\n", known.key, first_value(std::string(known.value)));
    const auto table = known.table.empty() ? "" : fmt::format("[{}]\n", known.table);
    const auto said = JobFile(table + line + (known.table == "data" ? "" : data)).error();
    CHECK(said.find(fmt::format("{} = ", known.key)) == std::string::npos);
    CHECK(said.find("unknown key") == std::string::npos);
  }
}

TEST_CASE("query: rates of currencies carry a day or a month, and a note where there is one") {
  const auto error = [](const std::string& date) {
    return JobFile("[money]\nrates_as_of = \"" + date + "\"\n" + data).error();
  };
  for (const auto* date : {"2026-11-02", "2017-12", "2017-12 (from memory)", "2026-11-02 ECB"}) {
    CAPTURE(date);
    CHECK(error(date) == "no error");
  }
  for (const auto* wrong :
       {"", "yesterday", "2026-13-01", "2026-11-31", "2026-11-02x", "02.11.2026"}) {
    CAPTURE(wrong);
    CHECK(error(wrong).find(":2:15: rates_as_of = ") == 0);
  }
}

TEST_CASE("query: durations in the forms people write") {
  CHECK(parse_duration("90s", "x") == 90);
  CHECK(parse_duration("10m", "x") == 600);
  CHECK(parse_duration("32h", "x") == 32 * 3600);
  CHECK(parse_duration("2d", "x") == 2 * 86400);
  CHECK(parse_duration("1:30:00", "x") == 5400);
  CHECK(parse_duration("1:30", "x") == 5400);
  CHECK(parse_duration("100:00", "x") == 360'000);
  CHECK(parse_duration("0:00:30", "x") == 30);
  CHECK(parse_duration("1h30m", "x") == 5400);
  CHECK(parse_duration("1 h 30 min", "x") == 5400);
  CHECK(parse_duration("45min", "x") == 2700);
  CHECK(parse_duration("2 days", "x") == 2 * 86400);
  for (const auto* text :
       {"",      "h",          "1:30m",   "90:30s", "1:30pm",        "1:30.5", "1:30 h",
        "1:30:", "1:30:00:00", "1:60",    "0:00",   "4294967297:00", "-3h",    "3 weeks",
        "0h",    "1h 30x",     "1h -30m", "1..5h",  "1h30m0x",       "1h30",   "1 30m"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_duration(text, "x")), UsageError);
  }
}

TEST_CASE("query: a file that is no TOML is told what to do about it, where it is") {
  CHECK(JobFile("[job]\nnetwork = \"resnet50\n").error() ==
        ":2:20: a string is not closed: end it on its line with \"");
  CHECK(JobFile("[job]\nepochs 90\n").error() == ":2:8: expected key = value");
  CHECK(JobFile("[job]\nepochs = \n").error() == ":2:10: a value is missing: expected key = value");
  CHECK(JobFile("[job\nepochs = 90\n").error() ==
        ":1:5: a heading is not closed: expected [name] or [[name]]");
  CHECK(JobFile("[job]\nepochs = 90\nepochs = 91\n").error().find("keep one") != std::string::npos);
}

TEST_CASE("query: several allow patterns let through what any of them finds") {
  const auto file = [](const std::string& allow) {
    return JobFile(data + "[job]\nnetwork = \"resnet50\"\n[constraints]\nallow = " + allow + "\n");
  };
  CHECK(file("\"^g5\"").load().allow == "^g5");
  CHECK(file("[\"^g5\", \"^g6\"]").load().allow == "(?:^g5)|(?:^g6)");
  CHECK(file("[\"\", \"^g6\"]").load().allow == "(?:^g6)");
  // Its first group would be another's.
  CHECK(file("['(g)5\\1', '^g6']").error().find("can refer back") != std::string::npos);
  // Together they would be one regular expression.
  CHECK(file("[\"g(5\", \"6)\"]").error().find("is not a regular expression") != std::string::npos);
}

TEST_CASE("query: a file without a job is not answered as the usual network") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name, const std::string& text) -> std::string {
    try {
      static_cast<void>(load_query(folder.write(name, text)));
    } catch (const UsageError& what) {
      return what.what();
    }
    return "no error";
  };
  for (const std::string text : {"", "[constraints]\nbudget = \"5\"\n", "gpu = \"V100:4\"\n"}) {
    CAPTURE(text);
    const auto what = error("other.toml", text);
    CHECK(what.find("other.toml: no job file: it has no [job]") != std::string::npos);
  }
  CHECK(error("slip.toml", "[jbo]\nnetwork = \"vgg16\"\n").find("did you mean \"job\"?") !=
        std::string::npos);
  CHECK(error("job.toml", "[job]\n" + data) == "no error");  // the usual network, as it asks
  const auto saved = error("answer.json", "{\"schema\": \"rightsize/recommendation/1\", \"a\": 1}");
  CHECK(saved.find("answer.json: this is an answer that rightsize advise saved") !=
        std::string::npos);
  CHECK(saved.find("rightsize report " + folder.path()) != std::string::npos);
  CHECK(saved_document(std::string(1 << 20, ' '), "blank") == "");
  CHECK(error("e.json", "{\"schema\":\"rightsize/explanation/1\"}")
            .find("what rightsize wrote as JSON (rightsize/explanation/1)") != std::string::npos);
}
