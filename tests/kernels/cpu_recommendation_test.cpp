// The layers of recommenders on the CPU engine: against naive references in double, gradients
// against finite differences, and updates of rows against gradients of whole tables.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "support/approx.h"
#include "support/gradient_check.h"
#include "support/picture_runs.h"

using namespace rightsize;
using test::check_gradients;
using test::evaluated;
using test::runs;

namespace {

constexpr int items = test::picture_items;
constexpr std::int64_t counts = 3;
constexpr std::int64_t width = 8;
const std::vector<EmbeddingTable> tables{{11, 1}, {7, 3}, {20, 2}};
constexpr std::int64_t ids = 6;

// As DLRM: a bottom part, tables, dots and a top part. Ids go beyond the smaller tables.
Network small_dlrm(TableUpdate update) {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", counts + ids, 20, 2);
  const int log = net.log_counts("counts", net.input(), counts);
  const int bottom = net.relu("bottom_relu", net.fully_connected("bottom", log, width));
  const int bags = net.embedding_bags("tables", net.input(), counts, tables, width, update);
  const int dots = net.pairwise_dots("dots", bottom, bags, 16);
  const int top = net.relu("top_relu", net.fully_connected("top", dots, 12));
  return net.finish_binary(net.fully_connected("score", top, 1));
}

// As DLRM-DCNv2.
Network small_cross(TableUpdate update) {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", counts + ids, 20, 2);
  const int log = net.log_counts("counts", net.input(), counts);
  const int bottom = net.fully_connected("bottom", log, width);
  const int bags = net.embedding_bags("tables", net.input(), counts, tables, width, update);
  const int first = net.concat("vectors", {bottom, bags});
  int x = first;
  for (const char* const name : {"one", "two"}) {
    const int low = net.linear(std::string(name) + "_v", x, 5, false);
    const int high = net.linear(std::string(name) + "_u", low, net.shape(first).c, true);
    x = net.add(name, {net.multiply(std::string(name) + "_product", first, high), x});
  }
  return net.finish_binary(net.fully_connected("score", x, 1));
}

// Row of the matrix that an id chooses, by slot from 0 on.
std::int64_t row_of(std::int64_t slot, std::int64_t id) {
  std::int64_t first = 0;
  for (const auto& table : tables) {
    if (slot < table.ids) {
      return first + id % table.rows;
    }
    slot -= table.ids;
    first += table.rows;
  }
  return -1;
}

std::int64_t table_of(std::int64_t slot) {
  return slot < 1 ? 0 : slot < 4 ? 1 : 2;
}

test::Values bags_of(const std::vector<float>& rows, const std::vector<std::int32_t>& tokens) {
  std::vector<double> sums(static_cast<std::size_t>(items * 3 * width), 0.0);
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t s = 0; s < ids; ++s) {
      const auto id = tokens[static_cast<std::size_t>(n * (counts + ids) + counts + s)];
      for (std::int64_t c = 0; c < width; ++c) {
        sums[static_cast<std::size_t>((n * 3 + table_of(s)) * width + c)] +=
            static_cast<double>(rows[static_cast<std::size_t>(row_of(s, id) * width + c)]);
      }
    }
  }
  return {sums.begin(), sums.end()};
}

test::Values dots_of(const test::Values& first, const test::Values& others, std::int64_t features) {
  test::Values out(static_cast<std::size_t>(items * features), 0.0F);
  const auto vector = [&](std::int64_t n, std::int64_t i, std::int64_t c) {
    return static_cast<double>(i == 0
                                   ? first[static_cast<std::size_t>(n * width + c)]
                                   : others[static_cast<std::size_t>((n * 3 + i - 1) * width + c)]);
  };
  for (std::int64_t n = 0; n < items; ++n) {
    auto at = static_cast<std::size_t>(n * features);
    for (std::int64_t c = 0; c < width; ++c) {
      out[at++] = static_cast<float>(vector(n, 0, c));
    }
    for (std::int64_t i = 1; i <= 3; ++i) {
      for (std::int64_t j = 0; j < i; ++j) {
        double sum = 0;
        for (std::int64_t c = 0; c < width; ++c) {
          sum += vector(n, i, c) * vector(n, j, c);
        }
        out[at++] = static_cast<float>(sum);
      }
    }
  }
  return out;
}

// The engine's update of one batch, with a gradient of whole tables to compare it with.
struct Updated {
  std::vector<float> before, after, gradient;
};

Updated updated(TableUpdate update, int steps = 1) {
  EngineOptions options;
  options.batch = 16;
  options.threads = 3;
  options.learning_rate = 0.1F;
  options.weight_decay = 0;
  const auto whole = small_dlrm(TableUpdate::whole);
  const auto network = small_dlrm(update);
  cpu::CpuEngine reference(whole, options);
  cpu::CpuEngine engine(network, options);
  for (const auto& name : reference.parameter_names()) {
    engine.set_parameter(name, reference.parameter(name));
  }
  const auto batch = test::noise_batch(network, options.batch);
  Updated result;
  for (int i = 0; i < steps; ++i) {
    result.before = engine.parameter("tables.weights");
    for (const auto& name : reference.parameter_names()) {
      reference.set_parameter(name, engine.parameter(name));
    }
    reference.evaluate(batch.view());
    result.gradient = reference.gradient("tables.weights");
    engine.step(batch.view());
  }
  result.after = engine.parameter("tables.weights");
  return result;
}

}  // namespace

TEST_CASE("cpu recommendation: counts become logarithms") {
  for (const auto& run : runs()) {
    const auto e = evaluated(small_dlrm(TableUpdate::sgd), run);
    test::Values expected;
    for (int n = 0; n < items; ++n) {
      for (int c = 0; c < counts; ++c) {
        expected.push_back(static_cast<float>(
            std::log(1.0 + e.batch.tokens[static_cast<std::size_t>(n * (counts + ids) + c)])));
      }
    }
    e.check("counts", expected, run.tolerance);
  }
}

TEST_CASE("cpu recommendation: each table's rows are added up, ids modulo its rows") {
  for (const auto& run : runs()) {
    const auto e = evaluated(small_dlrm(TableUpdate::adagrad), run);
    e.check("tables", bags_of(e.parameter("tables.weights"), e.batch.tokens), run.tolerance);
  }
}

TEST_CASE("cpu recommendation: the dots of each two vectors behind the first, then zeros") {
  for (const auto& run : runs()) {
    const auto e = evaluated(small_dlrm(TableUpdate::sgd), run);
    e.check("dots", dots_of(e.output("bottom_relu"), e.output("tables"), 16), run.tolerance);
    CHECK(e.output("dots")[15] == 0);
  }
}

TEST_CASE("cpu recommendation: one score costs its sigmoid's binary cross-entropy") {
  for (const auto& run : runs()) {
    auto e = evaluated(small_cross(TableUpdate::sgd), run);
    const auto expected = [&] {
      double sum = 0;
      int labelled = 0;
      const auto scores = e.output("score");
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const int label = e.batch.labels[i];
        const double wanted = label > 0 ? scores[i] : -scores[i];
        sum += label < 0 ? 0 : std::log1p(std::exp(-wanted));
        labelled += label < 0 ? 0 : 1;
      }
      return sum / labelled;
    };
    CHECK(e.loss == test::approx(expected()).epsilon(run.tolerance));
    e.batch.labels = {1, -1, 0};
    CHECK(e.engine.evaluate(e.batch.view()).loss.value() ==
          test::approx(expected()).epsilon(run.tolerance));
  }
}

TEST_CASE("cpu recommendation gradient: rows, dots, cross layers and the score") {
  check_gradients(small_dlrm(TableUpdate::whole));
  check_gradients(small_cross(TableUpdate::whole));
}

TEST_CASE("cpu recommendation: SGD moves the rows of the batch by their gradient, and no others") {
  const auto u = updated(TableUpdate::sgd);
  std::size_t untouched = 0;
  for (std::size_t i = 0; i < u.before.size(); ++i) {
    const double expected =
        static_cast<double>(u.before[i]) - 0.1 * static_cast<double>(u.gradient[i]);
    CHECK(static_cast<double>(u.after[i]) == test::approx(expected).scale(1).epsilon(1e-5));
    if (u.gradient[i] == 0) {  // of a row that no id chose
      CHECK(u.after[i] == u.before[i]);
      ++untouched;
    }
  }
  CHECK(untouched > 0);
  CHECK(untouched < u.before.size());
}

TEST_CASE("cpu recommendation: Adagrad divides by the root of all squares so far") {
  const auto once = updated(TableUpdate::adagrad);
  for (std::size_t i = 0; i < once.before.size(); ++i) {
    const double g = static_cast<double>(once.gradient[i]);
    const double moved = static_cast<double>(once.after[i]) - static_cast<double>(once.before[i]);
    if (std::abs(g) > 1e-5) {  // the first step is as long as the rate, whatever the gradient
      CHECK(moved == test::approx(g > 0 ? -0.1 : 0.1).epsilon(1e-2));
    } else if (g == 0) {
      CHECK(moved == 0);
    }
  }
  const auto first = updated(TableUpdate::adagrad, 1);
  const auto second = updated(TableUpdate::adagrad, 2);
  for (std::size_t i = 0; i < first.before.size(); ++i) {
    const double g = static_cast<double>(first.gradient[i]);
    const double h = static_cast<double>(second.gradient[i]);
    if (std::abs(g) > 1e-3) {
      const double expected = -0.1 * h / std::sqrt(g * g + h * h);
      CHECK(static_cast<double>(second.after[i]) - static_cast<double>(second.before[i]) ==
            test::approx(expected).scale(1).epsilon(1e-3));
    }
  }
}

TEST_CASE("cpu recommendation: a step keeps no gradient of tables whose rows alone it updates") {
  EngineOptions options;
  options.batch = 4;
  options.threads = 1;
  const cpu::CpuEngine whole(make_network("dlrm:tables=2:rows=200000:dim=16"), options);
  const double rows = 2.0 * 200'000 * 16 * 4;
  CHECK(static_cast<double>(whole.memory_bytes()) < rows + 40e6);
  CHECK(static_cast<double>(whole.memory_bytes()) > rows);
}

TEST_CASE("cpu recommendation: serves in every precision that this CPU has") {
  for (const char* const name : {"dlrm:rows=100:dim=16",
                                 "dlrm-dcnv2:rows=100:dim=16",
                                 "ncf:rows=100",
                                 "wide-and-deep:rows=50"}) {
    CAPTURE(std::string(name));
    const auto network = make_network(name);
    const auto batch = evaluated(network, runs().front()).batch;
    const auto loss = [&](const auto& run) {  // as it starts
      EngineOptions options;
      options.phase = run.phase;
      options.precision = run.precision;
      options.batch = test::picture_items;
      options.threads = run.threads;
      return cpu::CpuEngine(network, options).evaluate(batch.view()).loss.value();
    };
    // Those that answer start from the same numbers; training draws for Adagrad's sums too.
    const double exact = loss(runs()[1]);
    for (const auto& run : runs()) {
      const bool same = run.phase == Phase::infer;
      CHECK(std::isfinite(loss(run)));
      CHECK((!same || loss(run) == test::approx(exact).epsilon(0.03)));
    }
  }
}
