#include "advisor/http/form.h"

#include <algorithm>
#include <array>

namespace rightsize::http {
namespace {

constexpr std::array forms{NamedForm{"html", "text/html", Form::page},
                           NamedForm{"json", "application/json", Form::json},
                           NamedForm{"jsonl", "application/x-ndjson", Form::jsonl},
                           NamedForm{"csv", "text/csv", Form::csv},
                           NamedForm{"md", "text/markdown", Form::markdown},
                           NamedForm{"table", "text/plain", Form::text}};

}  // namespace

NamedForm form_named(std::string_view output, std::string_view accept) {
  for (const auto& one : forms) {
    if (!output.empty() ? one.name == output : accept.find(one.type) != std::string_view::npos) {
      return one;
    }
  }
  return forms.back();
}

std::string media_type(Form form) {
  if (form == Form::page || form == Form::text_page) {
    return "text/html; charset=utf-8";
  }
  const auto found = std::find_if(
      forms.begin(), forms.end(), [&](const NamedForm& one) { return one.form == form; });
  return std::string(found->type) + "; charset=utf-8";
}

}  // namespace rightsize::http
