// The forms in which answers are sent, by the names of -o and by those of HTTP.
#pragma once

#include <string>
#include <string_view>

namespace rightsize::http {

enum class Form { text, text_page, page, json, jsonl, csv, markdown };  // text_page: a text's page

struct NamedForm {
  std::string_view name;  // as -o has it
  std::string_view type;  // as Accept has it
  Form form;
};

// By the name `output` where it is not empty, else the first in our order that `accept` lists, else
// text: curl accepts all, and commands have forms of text (wide, names) that need no name here.
[[nodiscard]] NamedForm form_named(std::string_view output, std::string_view accept);

// "text/csv; charset=utf-8"
[[nodiscard]] std::string media_type(Form form);

}  // namespace rightsize::http
