// Texts with Zipf's law and a known entropy: what a language model can learn from them at best is
// computed while they are written. References: Zipf, "Human Behavior and the Principle of Least
// Effort", 1949; Mandelbrot's form f(r) ~ 1 / (r + 2.7), "An informational theory of the
// statistical structure of language", 1953.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rightsize {

// A first-order chain over the words w0000 ...: with probability 0.7 the next word is one of eight
// successors of the last one, else any word by Zipf's law.
class WordChain {
 public:
  WordChain(std::uint64_t seed, int vocabulary);

  struct Word {
    int id = 0;
    double probability = 0;  // of this word after the last one
  };
  Word next();

 private:
  [[nodiscard]] double uniform();
  [[nodiscard]] int by_zipf(double u) const;
  [[nodiscard]] int successor(int word, int rank) const;

  std::uint64_t seed_;
  std::uint64_t state_;
  std::vector<double> cumulative_;  // of Zipf's law
  int last_ = 0;
};

struct TextSummary {
  std::size_t words = 0;
  std::uint64_t bytes = 0;
  // exp of the mean of -log p(word | last word): the perplexity of a reader who knows the chain.
  // A stream only: in documents the words of the classes come in between.
  std::optional<double> source_perplexity;
};

// About `words` words in lines of 20 or so, as the Penn Treebank's files. Throws DataError.
[[nodiscard]] TextSummary write_word_stream(const std::string& path,
                                            std::size_t words,
                                            int vocabulary,
                                            std::uint64_t seed);

// `documents` lines "__label__0 words ..." (fastText's form), lengths as IMDb's reviews have them
// (log-normal, median 174 words, Maas et al., ACL 2011); one word in twelve comes from the class's
// own list. Throws DataError.
[[nodiscard]] TextSummary write_documents(const std::string& path,
                                          std::size_t documents,
                                          int classes,
                                          int vocabulary,
                                          std::uint64_t seed);

}  // namespace rightsize
