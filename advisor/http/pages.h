// The pages around answers: the form, the report with questions about its options, a text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "advisor/http/question.h"
#include "advisor/http/url.h"

namespace rightsize::http {

// Where everything begins: the form, for people; and for curl what may be asked.
[[nodiscard]] std::string front_page(std::span<const Parameter> parameters,
                                     const Premises& premises);
[[nodiscard]] std::string front_text();

// The page of `report` with the form above it and, about its options, what-if, explain, compare and
// export.
[[nodiscard]] std::string answer_page(std::string report,
                                      const Question& question,
                                      const Premises& premises);

// `content` as a page below the line that leads to the others; `more` stands on that line.
[[nodiscard]] std::string page_with(const std::string& title,
                                    const std::string& more,
                                    const std::string& content);

// " · the same as text, JSON ...": links to what the address answers in other forms.
[[nodiscard]] std::string other_forms_of(const Url& asked);

// What a command says to a terminal.
[[nodiscard]] std::string text_page(std::string_view text,
                                    const Question& question,
                                    const Premises& premises);

// With the form as it was left, where a question was asked.
[[nodiscard]] std::string error_page(unsigned status,
                                     std::string_view what,
                                     std::span<const Parameter> parameters,
                                     const Premises& premises);

}  // namespace rightsize::http
