// What a URL asks for: the words of its path and its parameters, decoded (RFC 3986; "+" in a query
// is a blank, as HTML forms write it).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize::http {

struct Parameter {
  std::string key;
  std::string value;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Url {
  std::vector<std::string> path;  // "/prices/list" is {"prices", "list"}
  std::vector<Parameter> parameters;
};

// Of the target of a request; nullopt where it is none, as with "%zz".
[[nodiscard]] std::optional<Url> read_target(std::string_view target);

// Of the body of a form that was posted.
[[nodiscard]] std::optional<std::vector<Parameter>> read_form(std::string_view body);

// "infra=aws%2Fus-*&gpu=L4", to stand behind a "?".
[[nodiscard]] std::string query_string(std::span<const Parameter> parameters);

// "/prices/list?infra=aws": a place on this server, whatever the words are.
[[nodiscard]] std::string target_of(const Url& url);

}  // namespace rightsize::http
