// The form that describes a job: a field for every key of a job file, drawn from their table, so
// that whatever a file may say can be asked in an address.
#pragma once

#include <span>
#include <string>

#include "advisor/http/question.h"
#include "advisor/http/url.h"

namespace rightsize::http {

// As HTML; what was asked stands in the fields, and what the chosen job file says behind them.
[[nodiscard]] std::string ask_form(std::span<const Parameter> parameters, const Premises& premises);

// A box for a whole job file, with the one that was sent in it.
[[nodiscard]] std::string paste_form(std::span<const Parameter> parameters);

// The parameters as fields that are not seen, for a form that asks more about the same question.
[[nodiscard]] std::string hidden_fields(std::span<const Parameter> parameters);

}  // namespace rightsize::http
