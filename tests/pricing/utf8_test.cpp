// Markus Kuhn's UTF-8 decoder capability and stress test, and what Excel saves.
#include "pricing/import/utf8.h"

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("utf8: what is text, and what is not") {
  for (const auto* text : {"",
                           "plain",
                           "B\xc3\xbcro",
                           "\xe2\x82\xac",
                           "\xed\x9f\xbf",
                           "\xee\x80\x80",
                           "\xf0\x90\x80\x80",
                           "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(text);
    CHECK(is_utf8(text));
  }
  for (const auto* bytes : {"B\xfcro",  // Latin-1
                            "\x80",
                            "\xc3",  // cut off
                            "\xe2\x82",
                            "\xc0\xaf",  // longer than need be
                            "\xe0\x9f\xbf",
                            "\xf0\x8f\xbf\xbf",
                            "\xed\xa0\x80",      // a surrogate
                            "\xf4\x90\x80\x80",  // beyond Unicode
                            "\xff"}) {
    CAPTURE(bytes);
    CHECK_FALSE(is_utf8(bytes));
  }
  CHECK(first_line_not_utf8("a\nB\xc3\xbcro\n") == 0);
  CHECK(first_line_not_utf8("a\nB\xfcro\nc") == 2);
}
