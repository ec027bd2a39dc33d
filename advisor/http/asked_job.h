// A job that a request describes: a job file's text as it was sent, one of the served folder, or
// none, with keys of the job file as parameters on top (data.items=1000), so that a question fits
// into an address.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "advisor/http/url.h"
#include "advisor/query/job_keys.h"

namespace rightsize::http {

// The key that a parameter names, "data.items" or "name"; null where it names none.
[[nodiscard]] const JobKey* job_key_named(std::string_view parameter);

// "data.items"
[[nodiscard]] std::string dotted(const JobKey& key);

// The text of the job `base` (TOML, called `name` in errors) with the parameters that name its keys
// on top of it; several of the same key are a list, one without a value says nothing. Throws
// UsageError "NAME:line:column: what" where `base` is no TOML.
[[nodiscard]] std::string job_with(const std::string& base,
                                   const std::string& name,
                                   std::span<const Parameter> parameters);

// What a job says for a key, as people type it; nullopt where it says nothing.
[[nodiscard]] std::optional<std::string> said_by(const toml::table& job, const JobKey& key);

}  // namespace rightsize::http
