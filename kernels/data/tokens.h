// Token ids for language models and text classifiers, from the files of the usual tools.
//   *.bin        ids of 16 bits, bare (nanoGPT) or behind llm.c's head of 256 words; read as needed
//   other files  text, held in memory as ids: words between white space, a line's end counting as
//                the word <eos> (the Penn Treebank's form); or, where every line begins with
//                "__label__", one document per line with its class (fastText's form)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/data/dataset.h"

namespace rightsize {

struct TokenOptions {
  // Ids of text are ranks by frequency; the last id stands for all rarer words. A vocabulary of at
  // most 256 reads bytes instead of words.
  std::int64_t vocabulary = 10'000;
  int sequence = 35;        // tokens per item
  bool labels_each = true;  // the next token at each position; else one class per item
};

class TokenDataset {
 public:
  TokenDataset() = default;
  TokenDataset(const TokenDataset&) = delete;
  TokenDataset& operator=(const TokenDataset&) = delete;
  virtual ~TokenDataset() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;         // items of `sequence` tokens
  [[nodiscard]] virtual std::int64_t vocabulary() const = 0;  // ids that occur are below
  [[nodiscard]] virtual int classes() const = 0;              // 0: no classes, a stream
  [[nodiscard]] virtual std::uint64_t stored_bytes() const = 0;
  [[nodiscard]] virtual std::vector<std::string> files() const = 0;

  // Fills the tokens (sequence) and labels (sequence, or 1) of item `index`; safe from several
  // threads. Returns the bytes read from the file. Throws DataError.
  virtual std::uint64_t read(std::size_t index,
                             std::span<std::int32_t> tokens,
                             std::span<std::int32_t> labels) const = 0;
};

// Throws DataError: no file, too short for one item, documents where a stream is wanted.
[[nodiscard]] std::unique_ptr<TokenDataset> open_tokens(const std::string& path,
                                                        const TokenOptions& options);

}  // namespace rightsize
