// S16 asked two ways: advise, whose price table names its CPUs, and predict, whose rows do. They
// are the same machines, and the page shows what both say.
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "advisor/founding.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

const std::string entry = "s16-cpu-or-gpu/";

std::string text_of(const std::string& file) {
  std::ifstream in(founding(entry + file));
  return {std::istreambuf_iterator<char>(in), {}};
}

// Dollars an hour of the entry's own table.
double price_per_h(const std::string& instance, const std::string& column) {
  const auto table = parse_csv(text_of("prices.csv"), "prices.csv");
  for (const auto& row : table.rows) {
    if (row.fields[static_cast<std::size_t>(table.column("InstanceType"))] == instance) {
      return std::atof(row.fields[static_cast<std::size_t>(table.column(column))].c_str());
    }
  }
  FAIL("no such instance: ", instance);
  return 0;
}

// The cells of the page's line that begins with "| what |", without the first.
std::vector<std::string> cells_of(const std::string& what) {
  std::istringstream page(text_of("README.md"));
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| " + what + " |")) {
      continue;
    }
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(what.size() + 4));
    for (std::string cell; std::getline(rest, cell, '|');) {
      cells.push_back(cell);
    }
    return cells;
  }
  FAIL("the page has no line of ", what);
  return {};
}

// One figure of a cell such as " 0.0020; 0.0142 ", held to `now` by the last digit it shows.
void check_figure(const std::string& cell, std::size_t which, double now) {
  std::istringstream in(cell);
  std::string figure;
  for (std::size_t i = 0; i <= which; ++i) {
    REQUIRE(std::getline(in >> std::ws, figure, ';'));
  }
  figure.erase(figure.find_last_not_of(' ') + 1);
  CAPTURE(figure);
  CAPTURE(now);
  const auto decimals = static_cast<double>(figure.size() - figure.find('.') - 1);
  CHECK(std::abs(std::atof(figure.c_str()) - now) <= 0.5001 * std::pow(10, -decimals));
}

}  // namespace

TEST_CASE("founding S16: advise and predict say the same of the same machines, to the step") {
  const auto rows = predicted(entry + "rows.csv");
  const auto answer = answer_of({"advise",
                                 founding(entry + "job.toml"),
                                 "--prices",
                                 founding(entry + "prices.csv"),
                                 "--max-results",
                                 "0"});
  int compared = 0;
  for (const auto& option : answer.at("options").as_array()) {
    const bool on_gpu = !option.at("gpu").is_null();
    const auto vcpus = std::to_string(option.at("vcpus").to_number<int>());
    const auto row =
        the(rows,
            on_gpu ? Row{{"network", "cifar10-cnn"}, {"gpu", "K80"}}
                   : Row{{"network", "cifar10-cnn"}, {"vcpus", vcpus}, {"cpu", "Skylake"}});
    CAPTURE(vcpus);
    CHECK((on_gpu || option.at("cpu") == "Skylake"));
    CHECK(std::to_string(option.at("batch_per_gpu").to_number<int>()) == row.at("batch"));
    // Both ends too, but for the K80, whose host predict is told nothing of that could err.
    const auto& rate = option.at("throughput");
    const auto same = [&](const char* end, const char* column) {
      return rate.at(end).to_number<double>() ==
             test::approx(std::atof(row.at(column).c_str())).epsilon(1e-5);
    };
    CHECK(same("value", "throughput"));
    CHECK((on_gpu || (same("low", "low") && same("high", "high"))));
    ++compared;
  }
  CHECK(compared == 9);  // a K80; 8, 16, 32 and 64 vCPUs, on demand and preemptible
}

TEST_CASE("founding S16: the page's dollars follow from rows.csv and prices.csv") {
  const auto rows = predicted(entry + "rows.csv");
  const auto per_million = [&](const std::string& network, const std::string& vcpus, double price) {
    const Row machine = vcpus.empty()
                            ? Row{{"network", network}, {"gpu", "K80"}}
                            : Row{{"network", network}, {"vcpus", vcpus}, {"cpu", "Skylake"}};
    return price / 3600 * 1e6 / rate(rows, machine);
  };
  for (const auto& [line, networks] :
       {std::pair{"MNIST MLP; CNN", std::vector<std::string>{"mnist-mlp", "mnist-cnn"}},
        std::pair{"CIFAR-10 VGG-like", std::vector<std::string>{"cifar10-cnn"}},
        std::pair{"fastText; bidirectional LSTM",
                  std::vector<std::string>{"imdb-fasttext", "imdb-lstm"}},
        std::pair{"LSTM text generation", std::vector<std::string>{"text-lstm"}}}) {
    const auto cells = cells_of(line);
    REQUIRE(cells.size() == 4);
    for (std::size_t i = 0; i < networks.size(); ++i) {
      CAPTURE(networks[i]);
      check_figure(
          cells[0], i, per_million(networks[i], "", price_per_h("n1-standard-1-k80", "Price")));
      check_figure(
          cells[1], i, per_million(networks[i], "16", price_per_h("n1-highcpu-16", "SpotPrice")));
      check_figure(
          cells[2], i, per_million(networks[i], "16", price_per_h("n1-highcpu-16", "Price")));
      check_figure(
          cells[3], i, per_million(networks[i], "8", price_per_h("n1-highcpu-8", "SpotPrice")));
    }
  }
}

TEST_CASE("founding S16: the page shows the rows that predict answers") {
  const auto page = text_of("README.md");
  for (const auto& row : predicted(entry + "rows.csv")) {
    const auto line = row.at("network") + "," + row.at("gpu") + "," + row.at("vcpus") + "," +
                      row.at("cpu") + "," + row.at("throughput") + "," + row.at("low") + "," +
                      row.at("high");
    CAPTURE(line);
    CHECK((row.at("network") != "cifar10-cnn" || page.find(line) != std::string::npos));
  }
}
