#include "pricing/import/import.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pricing/book_name.h"
#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/import/gpu_of_table.h"
#include "pricing/import/utf8.h"

namespace rightsize {
namespace {

constexpr std::size_t head_bytes = 1UL << 16;

constexpr std::array formats{
    ImportFormat{
        "skypilot", "SkyPilot catalogue (v5 to v8) or a table of ours, CSV", read_offer_table},
    ImportFormat{"aws-json", "AWS bulk offer file of AmazonEC2, JSON", read_aws_json},
    ImportFormat{"aws-csv", "AWS bulk offer file of AmazonEC2, CSV", read_aws_csv},
    ImportFormat{"azure", "pages of the Azure retail prices API, JSON", read_azure},
    ImportFormat{"gcp", "pages of GCP's SKUs of Compute Engine, JSON", read_gcp},
    ImportFormat{"gpuhunt", "gpuhunt catalogue, CSV", read_gpuhunt},
    ImportFormat{"vantage", "instances.json of ec2instances.info", read_vantage},
    ImportFormat{"book", "your price book: offers and discounts, TOML", read_price_book},
};

const ImportFormat* format_named(std::string_view name) {
  const auto found = std::find_if(
      formats.begin(), formats.end(), [&](const auto& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

// What the reader wanted to see at the front of a stream, given back to it.
class Head : public std::streambuf {
 public:
  explicit Head(std::istream& in) : rest_(*in.rdbuf()), buffer_(head_bytes, '\0') { fill(); }
  [[nodiscard]] std::string_view text() const {
    return {eback(), static_cast<std::size_t>(egptr() - eback())};
  }

 private:
  void fill() {
    const auto n = rest_.sgetn(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    setg(buffer_.data(), buffer_.data(), buffer_.data() + n);
  }
  int_type underflow() override {
    fill();
    return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }
  std::streambuf& rest_;
  std::string buffer_;
};

const ImportFormat& format_of(std::string_view head,
                              const std::string& file,
                              std::string_view name) {
  if (!name.empty() && name != "auto") {
    const auto* format = format_named(name);
    if (format == nullptr) {
      std::vector<std::string_view> names;
      for (const auto& known : formats) {
        names.push_back(known.name);
      }
      throw PricingError(
          fmt::format("format \"{}\": expected auto or one of {}", name, fmt::join(names, ", ")));
    }
    return *format;
  }
  const auto* format = detect_format(head);
  if (format == nullptr && !head.empty() && file.ends_with(".toml")) {
    return *format_named("book");  // whose reader says what is amiss
  }
  if (format == nullptr) {
    throw PricingError(fmt::format(
        "{}: {}; expected a SkyPilot or gpuhunt CSV, an AWS bulk offer file, pages of Azure's or "
        "GCP's price API, Vantage's instances.json or a price book (TOML); --format says which. A "
        "CSV of your own needs InstanceType, vCPUs, MemoryGiB, Region, Price (pricing/README.md)",
        file,
        head.empty() ? "the file is empty" : "this is no price table known here"));
  }
  return *format;
}

// Also C1 controls (U+0080 to U+009F) and what turns the direction of a line (U+202A to U+202E,
// U+2066 to U+2069), in UTF-8.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t ahead) {
      return i + ahead < text.size() ? static_cast<unsigned char>(text[i + ahead]) : 0;
    };
    const bool c0 = byte(0) < 0x20 || byte(0) == 0x7f;
    const bool c1 = byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f;
    const bool marks = byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae;
    const bool isolates = byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
    if (c0 || c1 || marks || isolates) {
      return true;
    }
  }
  return false;
}

// Of their Book column, --book or the file's name: the question could not ask for them.
void refuse_unusable_books(const ImportedTable& table) {
  std::string_view book;
  for (const auto& offer : table.offers) {  // mostly one book
    if (offer.book == book) {
      continue;
    }
    book = offer.book;
    if (const auto why = unusable_book(book); !why.empty()) {
      throw PricingError(fmt::format("{}:{}: book: {}", table.file, offer.line, why));
    }
  }
}

// Names go to terminals and files as they are: one that moves the cursor is no name.
void refuse_unprintable(ImportedTable& table) {
  constexpr std::pair<const char*, std::string Offer::*> names[] = {
      {"Provider", &Offer::provider},
      {"InstanceType", &Offer::instance},
      {"Region", &Offer::region},
      {"AcceleratorName", &Offer::gpu},
      {"Cpu", &Offer::cpu},
      {"Book", &Offer::book},
      {"AsOf", &Offer::as_of},
      {"Source", &Offer::source}};
  std::set<int> told;
  std::erase_if(table.offers, [&](const Offer& offer) {
    for (const auto& [field, name] : names) {
      const bool text = is_utf8(offer.*name);
      if (!text || has_control(offer.*name)) {
        if (told.insert(offer.line).second) {  // a row may be sold in several markets
          table.note(offer.line,
                     field,
                     text ? "a control character in it: the row is left out"
                          : "bytes in it that are not UTF-8: the row is left out; save the file as "
                            "UTF-8");
          ++table.left_out;
        }
        return true;
      }
    }
    return false;
  });
}

}  // namespace

void ImportedTable::note(int line, std::string field, std::string text) {
  ++issue_count;
  if (issues.size() < most_issues) {
    issues.push_back({file, line, std::move(field), std::move(text)});
  }
}

void ImportedTable::without_price(int line) {
  first_unpriced = unpriced == 0 ? line : std::min(first_unpriced, line);
  ++unpriced;
}

void ImportedTable::malformed(int line, const std::string& field, const std::string& what) {
  if (!note_malformed) {
    throw PricingError(fmt::format("{}:{}: {}: {}", file, line, field, what));
  }
  note(line, field, what);
}

bool ImportedTable::is_whole(int line, std::size_t fields, std::size_t wanted) {
  if (fields != wanted) {
    malformed(line, "row", fmt::format("{} fields, the header has {}", fields, wanted));
  }
  return fields == wanted;
}

PriceFigure price_at(std::string_view text,
                     const std::string& currency,
                     int line,
                     const std::string& field,
                     ImportedTable& table,
                     int hours) {
  try {
    auto figure = read_price(text, currency, hours);
    if (!figure.trap.empty()) {
      table.note(line, field, figure.trap);
    }
    return figure;
  } catch (const PricingError& error) {
    table.malformed(line, field, error.what());
    return {std::nullopt, error.what()};
  }
}

std::optional<double> number_in(const CsvRow& row, std::string_view column, ImportedTable& table) {
  const auto& text = row.text(column);
  try {
    return says_unknown(text) ? std::nullopt : row.number(column);
  } catch (const PricingError&) {
    if (!table.note_malformed) {
      throw;
    }
    table.malformed(
        row.line(), std::string(column), fmt::format("\"{}\": expected a number", text));
    return std::nullopt;
  }
}

std::optional<double> stated(const CsvRow& row, std::string_view column, ImportedTable& table) {
  const auto& text = row.text(column);
  const auto noted = table.issue_count;
  const auto value = number_in(row, column, table);
  if (text.empty() || table.issue_count > noted || (value && is_quantity(*value))) {
    return value;
  }
  table.note(row.line(), std::string(column), fmt::format("{}: taken as not stated", text));
  return std::nullopt;
}

void read_gpu_count(const CsvRow& row,
                    std::string_view column,
                    ImportedTable& table,
                    Offer& offer) {
  if (!offer.gpu.empty()) {
    offer.gpus = stated(row, column, table).value_or(0);
    return;
  }
  const double count = std::max(0.0, number_in(row, column, table).value_or(0));
  if (count > 0) {
    offer.gpu = "not stated";
    table.note(row.line(), std::string(column), fmt::format("{:g} GPUs, which is not said", count));
  }
  offer.gpus = count;
}

std::span<const ImportFormat> import_formats() {
  return formats;
}

const ImportFormat* detect_format(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) {
    head.remove_prefix(3);
  }
  const auto begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    return nullptr;
  }
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  // Before any word of a CSV's first line: a document may be written in one line.
  const char first = head[begin];
  const bool toml = has("[[offer]]") || has("[[discount]]");
  if ((first == '{' || first == '[') && !toml) {
    return has("\"armSkuName\"") || has("\"BillingCurrency\"") ? format_named("azure")
           : has("\"skus\"") || has("\"skuId\"")               ? format_named("gcp")
           : has("\"instance_type\"")                          ? format_named("vantage")
           : has("\"offerCode\"") || has("\"products\"") || has("\"publicationDate\"")
               ? format_named("aws-json")
               : nullptr;
  }
  const auto first_line = head.substr(begin, head.find('\n', begin) - begin);
  if (mentions(first_line, "InstanceType") && mentions(first_line, "Price")) {
    return format_named("skypilot");
  }
  if (mentions(first_line, "instance_name") && mentions(first_line, "location")) {
    return format_named("gpuhunt");
  }
  if (mentions(first_line, "FormatVersion") && mentions(first_line, ",")) {
    return format_named("aws-csv");
  }
  return toml ? format_named("book") : nullptr;
}

ImportedTable import_prices(std::istream& in,
                            const std::string& file,
                            const ImportOptions& given,
                            std::string_view format_name) {
  Head head(in);
  const auto& format = format_of(head.text(), file, format_name);
  std::istream stream(&head);
  stream.exceptions(std::ios::badbit);
  ImportOptions options = given;
  if (options.book.empty()) {
    options.book = book_after(std::filesystem::path(file).stem().string());
  }
  ImportedTable table;
  table.format = format.name;
  table.file = file;
  table.note_malformed = options.note_malformed;
  format.read(stream, options, table);
  refuse_unprintable(table);
  refuse_unusable_books(table);
  name_gpus(table, options);
  return table;
}

}  // namespace rightsize
