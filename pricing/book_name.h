// What a price book may be called: --book parts names with commas, and machines of one's own have a
// book that no table shares.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// "" of a name that --book can say; else why it cannot, in words: a comma, the name of --on-prem's
// machines.
[[nodiscard]] std::string unusable_book(std::string_view name);

// The book of a file that names none, after it: "own table" and "acme 2026" of own.csv and
// "acme,2026.csv", whose own names would be unusable.
[[nodiscard]] std::string book_after(std::string_view stem);

// Whether `books`, names with commas between, has `book`; blanks around a name are none of it.
[[nodiscard]] bool names_book(std::string_view books, std::string_view book);

// `books` without that one, by the same rule.
[[nodiscard]] std::string without_book(std::string_view books, std::string_view book);

}  // namespace rightsize
