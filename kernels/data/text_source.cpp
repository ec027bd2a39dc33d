#include "kernels/data/text_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "kernels/data/augment.h"
#include "kernels/data/file.h"

namespace rightsize {
namespace {

constexpr double chained = 0.7;
constexpr int successors = 8;
constexpr double mandelbrot_shift = 2.7;
constexpr int words_per_line = 20;
constexpr double median_review = 174;
constexpr double review_spread = 0.6;  // of the logarithm
constexpr int class_words = 40;
constexpr double class_share = 1.0 / 12;

// Of the successors of a word: halves, the last two alike, so that they sum to one.
constexpr std::array<double, successors> successor_share{
    1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 128};

double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Irwin and Hall's sum of four uniform numbers stands for the normal one.
std::size_t review_length(std::uint64_t bits) {
  double normal = -2;
  for (std::uint64_t k = 0; k < 4; ++k) {
    normal += unit(mix(bits + k));
  }
  const double length = median_review * std::exp(review_spread * normal * std::sqrt(3.0));
  return static_cast<std::size_t>(std::max(10.0, length));
}

// Collects text and hands it on in large pieces.
class TextFile {
 public:
  explicit TextFile(const std::string& path) : file_(File::create(path)) {}

  void add(std::string_view text) {
    pending_ += text;
    if (pending_.size() > piece) {
      flush();
    }
  }
  std::uint64_t finish() {
    flush();
    file_.sync();
    return bytes_;
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 20;

  void flush() {
    file_.append(std::as_bytes(std::span(pending_)));
    bytes_ += pending_.size();
    pending_.clear();
  }

  File file_;
  std::string pending_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

WordChain::WordChain(std::uint64_t seed, int vocabulary) : seed_(mix(seed)), state_(mix(seed_)) {
  double sum = 0;
  for (int rank = 1; rank <= vocabulary; ++rank) {
    sum += 1 / (rank + mandelbrot_shift);
    cumulative_.push_back(sum);
  }
  for (auto& value : cumulative_) {
    value /= sum;
  }
}

double WordChain::uniform() {
  state_ = mix(state_);
  return unit(state_);
}

int WordChain::by_zipf(double u) const {
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, u);
  return static_cast<int>(found - cumulative_.begin());
}

// Frequent words follow more often, so the text as a whole keeps Zipf's law roughly.
int WordChain::successor(int word, int rank) const {
  const auto bits = mix(
      seed_ ^ (static_cast<std::uint64_t>(word) * successors + static_cast<std::uint64_t>(rank)));
  return by_zipf(unit(bits));
}

WordChain::Word WordChain::next() {
  int id = 0;
  if (uniform() < chained) {
    double u = uniform();
    int rank = 0;
    while (rank < successors - 1 && u >= successor_share[static_cast<std::size_t>(rank)]) {
      u -= successor_share[static_cast<std::size_t>(rank)];
      ++rank;
    }
    id = successor(last_, rank);
  } else {
    id = by_zipf(uniform());
  }
  const auto index = static_cast<std::size_t>(id);
  double p = (1 - chained) * (cumulative_[index] - (id > 0 ? cumulative_[index - 1] : 0));
  for (int rank = 0; rank < successors; ++rank) {
    if (successor(last_, rank) == id) {
      p += chained * successor_share[static_cast<std::size_t>(rank)];
    }
  }
  last_ = id;
  return {id, p};
}

TextSummary write_word_stream(const std::string& path,
                              std::size_t words,
                              int vocabulary,
                              std::uint64_t seed) {
  if (words < 1 || vocabulary < 2) {
    throw DataError(
        fmt::format("{} words of a vocabulary of {}: at least 1 and 2", words, vocabulary));
  }
  WordChain chain(seed, vocabulary);
  TextFile file(path);
  double surprise = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const auto word = chain.next();
    surprise -= std::log(word.probability);
    file.add(fmt::format("{}w{:04}", i % words_per_line == 0 ? "" : " ", word.id));
    if ((i + 1) % words_per_line == 0) {
      file.add("\n");
    }
  }
  return {words, file.finish(), std::exp(surprise / static_cast<double>(words))};
}

TextSummary write_documents(const std::string& path,
                            std::size_t documents,
                            int classes,
                            int vocabulary,
                            std::uint64_t seed) {
  if (documents < 1 || classes < 1 || vocabulary < 2) {
    throw DataError(fmt::format("{} documents of {} classes and {} words: at least 1, 1 and 2",
                                documents,
                                classes,
                                vocabulary));
  }
  WordChain chain(seed, vocabulary);
  TextFile file(path);
  TextSummary summary;
  for (std::size_t i = 0; i < documents; ++i) {
    const auto bits = mix(mix(seed) ^ (i + 1));
    const auto label = static_cast<int>(bits % static_cast<std::uint64_t>(classes));
    const auto length = review_length(bits);
    file.add(fmt::format("__label__{}", label));
    for (std::size_t k = 0; k < length; ++k) {
      const auto draw = mix(bits ^ (k * 2 + 1));
      const int word = chain.next().id;
      file.add(unit(draw) < class_share ? fmt::format(" c{}_{:02}", label, mix(draw) % class_words)
                                        : fmt::format(" w{:04}", word));
    }
    file.add("\n");
    summary.words += length;
  }
  summary.bytes = file.finish();
  return summary;
}

}  // namespace rightsize
