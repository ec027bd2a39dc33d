#include "advisor/cli/option_choice.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/query/toml_fields.h"
#include "advisor/report/units.h"
#include "advisor/suppose/offer_name.h"
#include "pricing/place.h"

namespace rightsize::cli {
namespace {

std::string where_listed(const Recommendation& answer) {
  return fmt::format("rightsize advise {} --max-results 0 lists them", answer.query.file);
}

const Option& option_number(const Recommendation& answer, const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 1 || number > answer.options.size()) {
    throw UsageError(fmt::format("--option {}: there {} {}, counted from 1; {}",
                                 text,
                                 answer.options.size() == 1 ? "is" : "are",
                                 report::count_of(answer.options.size(), "option"),
                                 where_listed(answer)));
  }
  return answer.options[number - 1];
}

// The shortest comes first.
std::vector<std::string> names_without_market(const Option& option) {
  std::vector<std::string> names;
  const auto place = place_name(option.provider, option.region);
  for (const auto& cpu : {std::string(), option.cpu.empty() ? "" : "@" + option.cpu}) {
    const auto instance = option.instance + cpu;
    names.push_back(instance);
    names.push_back(option.provider + "/" + instance);
    names.push_back(place + "/" + instance);
    names.push_back(option.provider + "/" + instance + "/" + option.region);
  }
  return names;
}

bool is_called(const Option& option, const std::string& text) {
  const auto label = market_label(option.market, option.price_per_month.has_value());
  const std::string market(label.empty() ? "[on-demand]" : label);
  const auto names = names_without_market(option);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return boost::iequals(name, text) || boost::iequals(name + " " + market, text);
  });
}

// What tells it from every other option.
std::string whole_name(const Option& option) {
  auto name = name_of(option);
  name.place = place_name(option.provider, option.region);
  return typed(name);
}

std::string nearest_name(const Recommendation& answer, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& option : answer.options) {
    const auto more = names_without_market(option);
    names.insert(names.end(), more.begin(), more.end());
  }
  const auto near = nearest_word(text, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

const Option& option_named(const Recommendation& answer, const std::string& text) {
  std::vector<const Option*> found;
  for (const auto& option : answer.options) {
    if (is_called(option, text)) {
      found.push_back(&option);
    }
  }
  if (found.empty()) {
    throw UsageError(fmt::format("--option {}: none of {} is called so{}; {}",
                                 text,
                                 report::count_of(answer.options.size(), "option"),
                                 nearest_name(answer, text),
                                 where_listed(answer)));
  }
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const auto* option : found) {
      names.push_back(fmt::format("\"{}\"", whole_name(*option)));
    }
    throw UsageError(fmt::format("--option {}: {} are called so: {}",
                                 text,
                                 report::count_of(found.size(), "option"),
                                 fmt::join(names, ", ")));
  }
  return *found.front();
}

}  // namespace

const Option& option_meant(const Recommendation& answer, const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return number ? option_number(answer, text) : option_named(answer, text);
}

}  // namespace rightsize::cli
