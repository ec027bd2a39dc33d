// Price tables as other people publish them, turned into our offers: one adapter per format, found
// by the file's content. Files are read as streams; memory follows what is kept, not the file.
// Nothing is guessed: what a file does not say stays absent, and what cannot be a price is left out
// and noted with its line.
#pragma once

#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/catalog.h"
#include "pricing/offer.h"

namespace rightsize {

struct ImportOptions {
  std::string provider;  // of files that do not say whose prices they are
  std::string book;      // name of the book; empty: the file's name without its ending
  std::string as_of;     // of files that carry no date
  std::string payment = "no upfront";  // or "partial upfront", "all upfront", "savings plan"
  // What the product calls a GPU that the file names its own way.
  std::function<std::string(std::string_view)> gpu_name = [](std::string_view name) {
    return std::string(name);
  };
  // What the product calls the CPU of an instance type, which the file names its own way; "" where
  // nothing is known by that name, or more without it.
  std::function<std::string(std::string_view, std::string_view)> cpu_name =
      [](std::string_view, std::string_view name) { return std::string(name); };
  // What is wrong with a file that is not TOML, of the parser's own description.
  std::function<std::string(std::string_view)> toml_words = [](std::string_view description) {
    return "this is not TOML: " + std::string(description);
  };
  // Shapes of instance types that the file prices but does not describe (Azure, GCP, GPUs of AWS),
  // and the list prices a price book discounts. Borrowed.
  const Catalog* known = nullptr;
  // A price that is neither one nor a known way to say there is none is noted, for `prices check`
  // to tell all of them at once; else it refuses the file, for what was meant is not ours to guess.
  bool note_malformed = false;
};

// The field of a note that is of no row, but of a column that nobody reads.
inline constexpr std::string_view unread_column = "columns";

struct ImportedTable {
  std::string format;  // "aws-json"
  std::string file;
  std::vector<Offer> offers;
  static constexpr std::size_t most_issues = 100;
  std::vector<PriceIssue> issues;  // the first so many
  std::size_t issue_count = 0;
  std::size_t rows = 0;      // rows, items or products seen
  std::size_t left_out = 0;  // of them, not ours to compare: Windows, dedicated hosts, TPUs, ...
  std::size_t unpriced = 0;  // of them, ours, with every price field empty; each issue says its own
  int first_unpriced = 0;    // line
  bool note_malformed = false;  // as in ImportOptions

  void note(int line, std::string field, std::string text);
  void without_price(int line);
  // Of a price that cannot be read: noted, or thrown as PricingError naming the place.
  void malformed(int line, const std::string& field, const std::string& what);
  // Whether a row is as wide as the header; else the same as of a price.
  bool is_whole(int line, std::size_t fields, std::size_t wanted);
};

struct ImportFormat {
  std::string_view name;     // "aws-json"
  std::string_view summary;  // "AWS bulk offer file, JSON"
  void (*read)(std::istream& in, const ImportOptions& options, ImportedTable& table);
};

// All adapters, by name.
[[nodiscard]] std::span<const ImportFormat> import_formats();

// The format of a file that begins with `head` (64 KiB are plenty); nullptr when it is none of
// them.
[[nodiscard]] const ImportFormat* detect_format(std::string_view head);

// Reads `in`, called `file` in messages. `format` empty: by content. Throws PricingError naming
// file, line and field.
[[nodiscard]] ImportedTable import_prices(std::istream& in,
                                          const std::string& file,
                                          const ImportOptions& options,
                                          std::string_view format = {});

// Every price times (100 - percent) / 100, exactly, said in `source`. `percent` is decimal text,
// more than 0 and less than 100. Throws PricingError.
void apply_discount(std::vector<Offer>& offers, std::string_view percent);

}  // namespace rightsize
