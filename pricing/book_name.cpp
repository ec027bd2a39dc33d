#include "pricing/book_name.h"

#include <algorithm>

#include <fmt/format.h>

#include "pricing/on_prem.h"

namespace rightsize {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr auto blanks = " \t";
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

std::string unusable_book(std::string_view name) {
  if (name.find(',') != std::string_view::npos) {
    return fmt::format("\"{}\" is no name of a book: --book has a comma between two of them", name);
  }
  if (trimmed(name) == own_book) {
    return fmt::format("\"{}\" is the book of --on-prem's machines: call this one otherwise", name);
  }
  return "";
}

std::string book_after(std::string_view stem) {
  std::string name(stem);
  std::replace(name.begin(), name.end(), ',', ' ');
  return trimmed(name) == own_book ? fmt::format("{} table", own_book) : name;
}

namespace {

// The first of `books`, which is taken off them.
std::string_view take_book(std::string_view& books) {
  const auto comma = std::min(books.find(','), books.size());
  const auto book = trimmed(books.substr(0, comma));
  books.remove_prefix(std::min(comma + 1, books.size()));
  return book;
}

}  // namespace

bool names_book(std::string_view books, std::string_view book) {
  while (!books.empty()) {
    if (take_book(books) == trimmed(book)) {
      return true;
    }
  }
  return false;
}

std::string without_book(std::string_view books, std::string_view book) {
  std::string others;
  while (!books.empty()) {
    const auto other = take_book(books);
    if (!other.empty() && other != trimmed(book)) {
      others += others.empty() ? "" : ",";
      others += other;
    }
  }
  return others;
}

}  // namespace rightsize
