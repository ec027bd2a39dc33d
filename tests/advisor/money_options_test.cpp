// Offers in a currency that is not the question's: what is left out, how to count it, and what an
// answer says of the rate.
#include <fstream>
#include <iterator>
#include <utility>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/option_order.h"
#include "support/approx.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The demo's job as `file`, without [money], in a place and a market of its own where one is named.
void write_unstated(const std::string& file,
                    const std::string& provider = "",
                    const std::string& market = "on-demand") {
  std::ifstream in(job);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.find("[money]"));
  const std::string usual = "markets = [\"on-demand\"]\n";
  text.replace(text.find(usual),
               usual.size(),
               "markets = [\"" + market + "\"]\n" +
                   (provider.empty() ? "" : "infra = [\"" + provider + "\"]\n"));
  std::ofstream(file) << text;
}

// The demo's job with more among its constraints.
void write_bounded(const std::string& file, const std::string& line) {
  std::ifstream in(job);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string constraints = "[constraints]\n";
  text.insert(text.find(constraints) + constraints.size(), line + "\n");
  std::ofstream(file) << text;
}

// Machines of one provider, of which our tables know no disks.
void write_euro_table(const std::string& file) {
  std::ofstream(file) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                         "AcceleratorMemoryGiB,Region,Price,Currency,Arch,Book,AsOf,Source\n"
                         "ovh,l40s-90,15,90,L40S,1,48,gra,1.40,EUR,x86_64,quoted,2026-11-01,"
                         "a quote\n";
}

std::vector<std::string> alibaba(const ModelFile& model, const std::string& file) {
  return {"advise", file, "--model", model.path(), "--infra", "alibaba", "--market", "spot"};
}

test::Result ask(std::vector<std::string> words, const std::vector<std::string>& more = {}) {
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

}  // namespace

TEST_CASE("money: what no rate converts is left out, with the flags that would count it") {
  const ModelFile model;
  const auto without = ask(alibaba(model, job));
  CHECK(without.code == cli::exit_usage);
  CHECK(holds(without.err, "all that is asked about is priced in CNY: --fx CNY=RATE says what"));
  // In a question of several places the rest is answered, and what is missing counted.
  const auto mixed = ask(alibaba(model, job), {"--infra", "aws"});
  CHECK(mixed.code == cli::exit_ok);
  CHECK(mixed.out.find("priced in CNY: --fx CNY=RATE") != std::string::npos);
}

TEST_CASE("money: --fx converts, and the answer says the rate and its day") {
  const ModelFile model;
  const auto dated = ask(alibaba(model, job), {"--fx", "CNY=0.14@2026-11-02"});
  CHECK(dated.code == cli::exit_ok);
  CHECK(dated.out.find("1 CNY = 0.14 USD, of 2026-11-02") != std::string::npos);
  const auto undated = ask(alibaba(model, job), {"--fx", "CNY=0.14", "-o", "json"});
  CHECK(undated.out.find("1 CNY is 0.14 USD, as given by --fx, undated") != std::string::npos);
  const auto document = boost::json::parse(undated.out).as_object();
  CHECK(document.at("chosen").at("cost").at("unit") == "USD");
  for (const char* word : {"0.14", "CNY", "CNY=", "CNY=-1", "CNY=cheap", "yuan=0.14", "USD=1"}) {
    CAPTURE(word);
    const auto refused = ask(alibaba(model, job), {"--fx", word});
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find(std::string("--fx ") + word + ": ") != std::string::npos);
  }
}

TEST_CASE("money: the day of a rate is a day, and nothing else is printed as one") {
  const ModelFile model;
  for (const char* day :
       {"", "banana", "2026-13-01", "2026-02-30", "2026-1--02", "2026-11-02T00:00", "02.11.2026"}) {
    CAPTURE(day);
    const auto refused = ask(alibaba(model, job), {"--fx", std::string("CNY=0.14@") + day});
    CHECK(refused.code == cli::exit_usage);
    CHECK(holds(refused.err, std::string("\"") + day + "\" is no day: expected YYYY-MM-DD"));
  }
  const auto future = ask(alibaba(model, job), {"--fx", "CNY=0.14@2999-01-01"});
  CHECK(future.code == cli::exit_usage);
  CHECK(holds(future.err, "2999-01-01 is yet to come"));
}

TEST_CASE("money: --currency counts in another, and leaves out what it has no rate for") {
  const ModelFile model;
  const auto yuan = ask(alibaba(model, job), {"--currency", "CNY"});
  CHECK(yuan.code == cli::exit_ok);
  CHECK(yuan.out.find(" CNY") != std::string::npos);
  const auto mixed = ask(alibaba(model, job), {"--infra", "aws", "--currency", "CNY"});
  CHECK(holds(mixed.out, "priced in USD: --fx USD=RATE says what 1 USD is in CNY"));
  CHECK(ask(alibaba(model, job), {"--currency", "yuan"}).code == cli::exit_usage);
  const TemporaryFolder folder;
  const auto bounded = folder / "bounded.toml";
  write_bounded(bounded, "budget = \"100\"");
  const auto refused = ask(alibaba(model, bounded), {"--currency", "CNY"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("is in USD") != std::string::npos);
  // A budget on the command line stands in for the file's.
  const auto replaced = ask(alibaba(model, bounded), {"--currency", "CNY", "--budget", "900"});
  CHECK(replaced.code == cli::exit_ok);
  CHECK(replaced.out.find(" CNY") != std::string::npos);
}

TEST_CASE("money: a question that names no currency counts in that of all its offers") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto unstated = folder / "unstated.toml";
  write_unstated(unstated);
  const auto yuan = ask(alibaba(model, unstated));
  CHECK(yuan.code == cli::exit_ok);
  CHECK(yuan.out.find(" CNY") != std::string::npos);
  const auto mixed = ask(alibaba(model, unstated), {"--infra", "aws"});
  CHECK(mixed.out.find("$") != std::string::npos);
  CHECK(mixed.out.find("priced in CNY") != std::string::npos);
  // A budget is in dollars where nothing is said, and stays so.
  CHECK(ask(alibaba(model, unstated), {"--budget", "100"}).code == cli::exit_usage);
}

TEST_CASE("money: a disk that is assumed is said to be billed where it is") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto unstated = folder / "unstated.toml";
  const auto table = folder / "euro.csv";
  write_unstated(unstated);
  write_euro_table(table);
  const std::vector<std::string> asked{
      "advise", unstated, "--prices", table, "--model", model.path(), "-o", "json"};
  const auto euro = ask(asked).out;
  CHECK(holds(euro, "\"EUR\""));
  CHECK(holds(euro, "counted in EUR, which every offer asked about is priced in"));
  CHECK(holds(euro, "tables: the disk is not billed, and its speed is assumed"));
  CHECK(holds(euro, "and not billed beside others"));
  CHECK_FALSE(holds(euro, "the bill's disk line is assumed"));
  CHECK_FALSE(holds(euro, "is assumed, and billed"));
  const auto dollars =
      run({"advise", job, "--infra", "lambda", "--model", model.path(), "-o", "json"});
  CHECK(holds(dollars.out, "tables: the bill's disk line is assumed"));
  CHECK(holds(dollars.out, "is assumed, and billed"));
  CHECK_FALSE(holds(dollars.out, "counted in "));
}

// 0.10 dollars a GiB and month are 0.0909 euros of 1.10 dollars.
TEST_CASE("money: a disk whose price is assumed costs as much beside a machine priced in euros") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto table = folder / "two.csv";
  std::ofstream(table)
      << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
         "Currency\nacme,m1,16,64,L40S,1,eu,2.20,USD\nacme,m2,16,64,L40S,1,eu,2.00,EUR\n";
  const auto answer = boost::json::parse(ask({"advise",
                                              job,
                                              "--model",
                                              model.path(),
                                              "--prices",
                                              table,
                                              "--currency",
                                              "USD",
                                              "--fx",
                                              "EUR=1.10",
                                              "-o",
                                              "json"})
                                             .out);
  const auto& options = answer.at("options").as_array();
  REQUIRE(options.size() == 2);
  for (const auto& option : options) {
    const auto& bill = option.at("bill").as_array();
    REQUIRE(bill.size() == 2);
    CHECK(bill.at(1).at("unit_price") == (option.at("instance") == "m2" ? "0.090909091" : "0.10"));
  }
  CHECK(options.at(0).at("cost").at("value").to_number<double>() ==
        test::approx(options.at(1).at("cost").at("value").to_number<double>()).epsilon(1e-6));
}

// gp3 is 0.08 dollars a GiB and month: 0.571428571 yuan of 0.14.
TEST_CASE("money: a machine and its disk are billed in one currency, or the disk is not billed") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto table = folder / "beijing.csv";
  std::ofstream(table)
      << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
         "Currency,Book\naws,g6e.xlarge,4,32,L40S,1,cn-north-1,21.0,CNY,theirs\n";
  const auto asked = [&](const std::vector<std::string>& more) {
    const auto result = ask({"advise",
                             job,
                             "--model",
                             model.path(),
                             "--prices",
                             table,
                             "--loader",
                             "rightsize",
                             "-o",
                             "json"},
                            more);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out);
  };
  const auto counted = asked({"--currency", "USD", "--fx", "CNY=0.14"});
  const auto& chosen = counted.at("chosen");
  CHECK(chosen.at("price_per_hour") == "21.00");
  REQUIRE(chosen.at("bill").as_array().size() == 2);
  CHECK(chosen.at("bill").at(1).at("unit_price") == "0.571428571");
  CHECK(chosen.at("bill").at(1).at("currency") == "CNY");
  CHECK(chosen.at("cost").at("unit") == "USD");
  const auto beside = asked({"--currency", "USD", "--fx", "CNY=0.14", "--book", "current,theirs"});
  CHECK(beside.at("options").as_array().size() > 1);
  // Nobody says what a dollar is: the disk is left out, and the answer says so.
  const auto yuan = asked({"--currency", "CNY"});
  CHECK(yuan.at("chosen").at("bill").as_array().size() == 1);
  CHECK(holds(boost::json::serialize(yuan.at("warnings")),
              "no disk price of aws in CNY is in the tables: the disk is not billed"));
}

TEST_CASE("money: prices of two currencies are sorted by what they are in one") {
  auto answer = Recommendation();
  answer.query.rates["CNY"] = {"CNY", "USD", 140'000'000, "as given"};
  for (const auto& [name, price] : {std::pair("dollars", Money::parse("2", "USD")),
                                    std::pair("yuan", Money::parse("9", "CNY"))}) {
    Option option;
    option.instance = name;
    option.price_per_hour = price;
    answer.options.push_back(option);
  }
  sort_options(answer, "price");
  CHECK(answer.options[0].instance == "yuan");  // 1.26 dollars
  sort_options(answer, "price:desc");
  CHECK(answer.options[0].instance == "dollars");
}

TEST_CASE("money: jobs of a plan that name no currency count in one") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto yuan = folder / "yuan.toml";
  const auto dollars = folder / "dollars.toml";
  write_unstated(yuan, "alibaba", "spot");
  write_unstated(dollars, "aws");
  const auto plan = [&](const std::vector<std::string>& words) {
    return ask({"advise", "--model", model.path()}, words);
  };
  const auto both = plan({yuan, dollars});
  CHECK(both.code == cli::exit_nothing_satisfies);
  CHECK_FALSE(holds(both.err, "error"));
  CHECK(holds(both.out, "aws/"));
  CHECK(holds(both.out, "6 priced in CNY: --fx CNY=RATE"));
  const auto none = plan({dollars, dollars, "--currency", "EUR"});
  CHECK(none.code == cli::exit_usage);
  CHECK(holds(none.err, "is priced in USD: --fx USD=RATE says what 1 USD is in EUR"));
  CHECK(plan({yuan, dollars, "--fx", "CNY=0.14"}).code == cli::exit_ok);
  const auto alike = plan({yuan, yuan});
  CHECK(alike.code == cli::exit_ok);
  CHECK(holds(alike.out, " CNY"));
  const auto stated = folder / "stated.toml";
  std::ofstream(stated) << std::ifstream(yuan).rdbuf() << "[money]\ncurrency = \"CNY\"\n";
  CHECK(plan({stated, yuan}).code == cli::exit_ok);
  const auto refused = plan({stated, dollars});
  CHECK(refused.code == cli::exit_usage);
  CHECK(holds(refused.err, stated + " counts in CNY, " + dollars + " in USD (it names none)"));
}
