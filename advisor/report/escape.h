// Text that came from outside (job files, price tables, run names) made safe for where it goes.
// Every renderer of HTML, SVG, Markdown and embedded JSON uses these and nothing else.
#pragma once

#include <string>
#include <string_view>

namespace rightsize::report {

// For HTML and SVG, text and attribute values alike: & < > " ' become entities; control characters,
// which XML forbids, become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);

// For JSON inside <script>: < > & as \u00xx, so that "</script>" in a name ends nothing.
[[nodiscard]] std::string escape_script(std::string_view json);

// For Markdown prose and cells that renderers would take for HTML or for emphasis.
[[nodiscard]] std::string escape_markdown(std::string_view text);

// "data:text/csv;charset=utf-8,..." with everything but unreserved characters percent-encoded
// (RFC 3986), to download without a server.
[[nodiscard]] std::string data_uri(std::string_view media_type, std::string_view content);

}  // namespace rightsize::report
