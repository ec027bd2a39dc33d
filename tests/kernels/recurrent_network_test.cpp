// The founding reports' recurrent networks: sizes against those that their sources print.
#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("recurrent networks: parameters equal the sources' counts") {
  const struct {
    const char* name;
    std::uint64_t parameters;
  } rows[] = {
      // Keras' summary() of the examples, and the second class's score (text.cpp)
      {"imdb-fasttext", 1'000'051 + 51},
      {"imdb-lstm", 2'658'945 + 129},
      {"text-lstm", 102'585},
      // vocabulary x width, twice 4 x width x (2 width + 1), (width + 1) x vocabulary
      {"ptb-small", 4'651'600},
      {"ptb-medium", 19'775'200},
      {"ptb-large", 66'022'000},
  };
  for (const auto& [name, parameters] : rows) {
    CHECK_MESSAGE(parameter_count(make_network(name)) == parameters, name);
  }
}

TEST_CASE("recurrent networks: a longer sequence costs more work and no more parameters") {
  for (const char* name : {"imdb-fasttext", "imdb-lstm", "text-lstm", "ptb-small"}) {
    CAPTURE(name);
    const auto own = make_network(name);
    const auto twice = make_network(name, static_cast<int>(2 * own.input.positions()));
    CHECK(parameter_count(twice) == parameter_count(own));
    CHECK(forward_flops(twice) > 1.4 * forward_flops(own));
  }
}

TEST_CASE("recurrent networks: the backward pass keeps gates and cells of every position") {
  for (const char* name : {"imdb-lstm", "text-lstm", "ptb-small"}) {
    CAPTURE(name);
    const auto own = make_network(name);
    const auto twice = make_network(name, static_cast<int>(2 * own.input.positions()));
    CHECK(static_cast<double>(activation_elements(twice)) >
          1.9 * static_cast<double>(activation_elements(own)));
  }
}

// 2 FLOPs per weight and token, three times that for training: the rule of thumb holds where
// products are nearly all (embeddings are looked up, not multiplied).
TEST_CASE("recurrent networks: FLOPs are two per multiplied weight and word") {
  const auto network = make_network("ptb-large");
  const double weights = 66'022'000 - 15'000'000;
  CHECK(forward_flops(network) == test::approx(2 * weights * 35).epsilon(0.01));
  CHECK(training_flops(network) == test::approx(6 * weights * 35).epsilon(0.01));
}

TEST_CASE("recurrent networks: labels are one per word of a language model, else one per item") {
  CHECK(make_network("ptb-small").labels_per_item() == 20);
  CHECK(make_network("imdb-lstm").labels_per_item() == 1);
  CHECK(make_network("text-lstm").labels_per_item() == 1);
}
