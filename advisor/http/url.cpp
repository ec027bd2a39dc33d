#include "advisor/http/url.h"

#include <boost/url.hpp>
#include <boost/version.hpp>

#if BOOST_VERSION < 108200  // the library's own source: there is nothing to link
#include <boost/url/src.hpp>
#endif

namespace rightsize::http {
namespace {

namespace urls = boost::urls;

std::vector<Parameter> read_parameters(const urls::url_view& url) {
  urls::encoding_opts options;
  options.space_as_plus = true;
  std::vector<Parameter> parameters;
  for (const auto& one : url.params(options)) {
    parameters.push_back({std::string(one.key), std::string(one.value)});
  }
  return parameters;
}

}  // namespace

std::optional<Url> read_target(std::string_view target) {
  const auto read = urls::parse_origin_form({target.data(), target.size()});
  if (!read) {
    return std::nullopt;
  }
  Url url;
  for (const auto& segment : read->segments()) {
    if (!segment.empty()) {
      url.path.emplace_back(segment);
    }
  }
  url.parameters = read_parameters(*read);
  return url;
}

std::optional<std::vector<Parameter>> read_form(std::string_view body) {
  const auto url = read_target("/?" + std::string(body));
  return url ? std::optional(url->parameters) : std::nullopt;
}

// All but letters, digits and - . _ ~ as %XX: of the library's own way back "+" would stay, and be
// a blank in the next reading.
std::string query_string(std::span<const Parameter> parameters) {
  std::string text;
  for (const auto& [key, value] : parameters) {
    text += text.empty() ? "" : "&";
    text += urls::encode(key, urls::unreserved_chars) + "=" +
            urls::encode(value, urls::unreserved_chars);
  }
  return text;
}

std::string target_of(const Url& url) {
  urls::url target("/");
  for (const auto& word : url.path) {
    target.segments().push_back(word);
  }
  const auto text = target.encoded_path();
  const std::string path(text.data(), text.size());
  return url.parameters.empty() ? path : path + "?" + query_string(url.parameters);
}

}  // namespace rightsize::http
