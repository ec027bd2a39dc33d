// The fields of a Hugging Face style config.json, each with the error that says what is wrong with
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace rightsize {

// All of it throws NetworkError, which names the file and the field. A field of null is one that is
// not given: that is how Hugging Face writes "as usual".
class ConfigFile {
 public:
  static constexpr std::int64_t widest = std::int64_t{1} << 20;  // the most of any width

  explicit ConfigFile(std::string path);

  [[nodiscard]] bool given(const char* field) const;
  [[nodiscard]] bool says_null(const char* field) const;
  [[nodiscard]] std::int64_t positive(const char* field, std::int64_t most = widest) const;
  [[nodiscard]] std::int64_t positive_or(const char* field,
                                         std::int64_t otherwise,
                                         std::int64_t most = widest) const;
  [[nodiscard]] std::int64_t count_or(const char* field, std::int64_t otherwise) const;  // 0 too
  [[nodiscard]] double number_or(const char* field, double otherwise) const;             // above 0
  [[nodiscard]] bool flag_or(const char* field, bool otherwise) const;
  [[nodiscard]] std::string word_or(const char* field, std::string_view otherwise) const;
  // Null where it is not given.
  [[nodiscard]] const boost::json::array* list(const char* field) const;

  // An architecture that differs in a field would be another network under the same name.
  void require(const char* field, const boost::json::value& wanted) const;

  // Whether it holds another object of fields, which are then those of this.
  bool enter(const char* field);
  // Where it is not given, it says this from now on.
  void suppose(const char* field, std::string_view word);

  [[noreturn]] void fail(const char* field, const std::string& why) const;
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string path_;
  boost::json::object object_;
};

}  // namespace rightsize
