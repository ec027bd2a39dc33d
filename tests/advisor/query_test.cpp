#include "advisor/query/query.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/query/saved_document.h"
#include "job_file.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::JobFile;
using test::least_data;

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
  CHECK(JobFile("[job]\nnetwork = \"ResNet-50\"\n" + least_data).load().network == "resnet50");
  CHECK(JobFile("[job]\nnetwork = \"llama-3-8b\"\n" + least_data).load().network == "llama-8b");
}

TEST_CASE("query: errors name file, line, column, what was expected and what was seen") {
  CHECK(JobFile("[job]\nbatch_per_gpu = \"64\"\n" + least_data).error() ==
        ":2:17: batch_per_gpu = \"64\": expected an integer or an array of integers, saw a string");
  CHECK(JobFile("[job]\nphase = \"dream\"\n" + least_data).error() ==
        ":2:9: phase = \"dream\": expected \"train\", \"infer\", \"preprocess\" or, of a "
        "language model, \"decode\"");
  CHECK(JobFile("[job]\nbatch_per_gup = 64\n" + least_data).error() ==
        ":2:1: unknown key \"batch_per_gup\", did you mean \"batch_per_gpu\"?");
  CHECK(JobFile("[job]\nnetwork = \"resnet5\"\n" + least_data)
            .error()
            .starts_with(":2:11: job.network: unknown network \"resnet5\". Did you mean"));
  CHECK(JobFile("[job]\nnetwork = \"bert-base\"\nsequence = 600\n" + least_data).error() ==
        ":3:12: job.sequence: network bert-base: a sequence of 600 tokens; it was trained for 512, "
        "use at most that");
  CHECK(JobFile(least_data + "[constraints]\ninfra = [\"aws\", \"gcp/\"]\n")
            .error()
            .starts_with(":5:9: constraints.infra \"gcp/\": expected one PROVIDER"));
  CHECK(JobFile(least_data + "[constraints]\nconfidence = \"90\"\n").error() ==
        ":5:14: confidence = \"90\": expected a number between 0 and 1, or a percentage such as "
        "\"90%\"");
  CHECK(JobFile(least_data + "[constraints]\nconfidence = \"90%\"\n").load().confidence == 0.9);
  const auto euros = JobFile(least_data + "[constraints]\nbudget = \"300 EUR\"\n").load();
  CHECK(euros.budget == Money::parse("300", "EUR"));  // for flags to say what they are in dollars
  CHECK(euros.budget_said_by.find("job.toml:5:10: constraints.budget") != std::string::npos);
  CHECK(JobFile("[data]\nbytes = \"1GB\"\n").error() ==
        ": data.items is missing: expected the number of items (images, sequences), at least 1");
  CHECK(JobFile("[data]\nitem = 10\nbyte = \"1GB\"\n")
            .error()
            .find("unknown key \"byte\", did you mean") != std::string::npos);
  CHECK(JobFile("[job\n").error().starts_with(":1:"));
  CHECK(JobFile("[job]\nepochs = 1\nepochs = 2\n" + least_data)
            .error()
            .find("\"epochs\" is in the file twice") != std::string::npos);
  CHECK(JobFile(least_data + "[constraints]\ndeadline = \"soon\"\n").error() ==
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

TEST_CASE("query: a bare number where a unit is wanted is told the form that is read") {
  const auto error = [](const std::string& line) {
    return JobFile(least_data + "[constraints]\n" + line + "\n").error();
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
        "mnist, cifar, tokens; of parquet tfrecord is read alike, where items are read in the "
        "order of their files");
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
  CHECK(JobFile("[job]\nsequence = 1.5\n" + least_data)
            .error()
            .ends_with("expected an integer, saw a floating-point number"));
}

TEST_CASE("query: rates of currencies carry a day or a month, and a note where there is one") {
  const auto error = [](const std::string& date) {
    return JobFile("[money]\nrates_as_of = \"" + date + "\"\n" + least_data).error();
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
    return JobFile(least_data + "[job]\nnetwork = \"resnet50\"\n[constraints]\nallow = " + allow +
                   "\n");
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
  CHECK(error("job.toml", "[job]\n" + least_data) == "no error");  // the usual network, as it asks
  const auto saved = error("answer.json", "{\"schema\": \"rightsize/recommendation/1\", \"a\": 1}");
  CHECK(saved.find("answer.json: this is an answer that rightsize advise saved") !=
        std::string::npos);
  CHECK(saved.find("rightsize report " + folder.path()) != std::string::npos);
  CHECK(saved_document(std::string(1 << 20, ' '), "blank") == "");
  CHECK(error("e.json", "{\"schema\":\"rightsize/explanation/1\"}")
            .find("what rightsize wrote as JSON (rightsize/explanation/1)") != std::string::npos);
}
