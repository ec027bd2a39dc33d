#include "advisor/cli/custom_tables.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"
#include "models/laws/gpu_name.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// `machines` are those wanted of a family.
template <typename Machines>
ImportedTable table_of(const std::string& path, Machines machines) {
  ImportedTable table;
  table.file = path;
  table.format = "custom";
  try {
    const auto text = read_text_file(path);
    for (const auto& words : unread_custom_columns(text, path)) {
      table.note(1, std::string(unread_column), words);
    }
    for (auto& family : parse_custom_families(text, path)) {
      if (!family.gpu.empty()) {
        family.gpu = canonical_gpu_name(family.gpu);
      }
      machines(family, table.offers);
      ++table.rows;
    }
  } catch (const PricingError& error) {
    throw UsageError(error.what() + std::string(is_custom_file(path)
                                                    ? ""
                                                    : "; a table of whole machines is given by "
                                                      "--prices FILE"));
  }
  return table;
}

}  // namespace

void add_custom_prices_option(Options& options) {
  options.add_options()(
      "custom-prices",
      po::value<std::vector<std::string>>(),
      "a table of yours that prices machines cut to measure by vCPU, GiB and GPU; repeatable "
      "(columns: pricing/README.md)");
}

ImportedTable custom_table(const std::string& path) {
  return table_of(path, [](const CustomFamily& family, std::vector<Offer>& offers) {
    for (auto& offer : custom_offers(family)) {
      offers.push_back(std::move(offer));
    }
  });
}

ImportedTable custom_samples(const std::string& path) {
  return table_of(path, [](const CustomFamily& family, std::vector<Offer>& offers) {
    offers.push_back(smallest_custom_offer(family));
  });
}

bool is_custom_file(const std::string& path) {
  std::ifstream in(path);
  std::string header;
  return !std::filesystem::is_directory(path) && std::getline(in, header) &&
         is_custom_table(header);
}

std::vector<CustomFamily> custom_families(const Values& values) {
  auto families = shipped_custom_families();
  if (values.count("custom-prices") > 0) {
    for (const auto& path : values["custom-prices"].as<std::vector<std::string>>()) {
      static_cast<void>(table_of(path, [&](const CustomFamily& family, std::vector<Offer>&) {
        families.push_back(family);
      }));
    }
  }
  return families;
}

void note_unread_columns(Context& context, const Values& values) {
  if (values.count("custom-prices") == 0) {
    return;
  }
  for (const auto& path : values["custom-prices"].as<std::vector<std::string>>()) {
    for (const auto& issue : custom_samples(path).issues) {
      context.err << fmt::format(
          "note: {}:{}: {}: {}\n", path, issue.line, issue.field, issue.text);
    }
  }
}

std::set<std::string> add_custom_prices(const Values& values, Catalog& catalog) {
  std::set<std::string> books;
  if (values.count("custom-prices") == 0) {
    return books;
  }
  for (const auto& path : values["custom-prices"].as<std::vector<std::string>>()) {
    auto table = custom_table(path);
    for (const auto& offer : table.offers) {
      books.insert(offer.book);
    }
    catalog.add(std::move(table));
  }
  return books;
}

}  // namespace rightsize::cli
