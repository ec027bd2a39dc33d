// The fields of a Hugging Face style config.json, each with the error that says what is wrong with
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace rightsize {

// What fields make together, as far as it has to be counted in 64 bits (layer_work, work): each may
// be as large as any network's and all together still be more.
struct ConfigExtent {
  double parameters = 0;
  double elements = 0;  // of all that a whole context makes of them
  double products = 0;  // of one matrix with a context
  std::int64_t context = 0;
};

// Whether `name` is the path of one.
[[nodiscard]] bool is_config_path(std::string_view name);

// All of it throws NetworkError, which names the file and the field. A field of null is one that is
// not given: that is how Hugging Face writes "as usual".
class ConfigFile {
 public:
  static constexpr std::int64_t widest = std::int64_t{1} << 20;       // the most of any width
  static constexpr std::int64_t most_tokens = std::int64_t{1} << 24;  // of a vocabulary, a context

  explicit ConfigFile(std::string path);
  // Fields that lie in no file; `name` stands for its path.
  ConfigFile(std::string name, boost::json::object fields);

  [[nodiscard]] bool given(const char* field) const;
  [[nodiscard]] bool says_null(const char* field) const;
  [[nodiscard]] bool says(const char* field, std::string_view word) const;
  [[nodiscard]] std::int64_t positive(const char* field, std::int64_t most = widest) const;
  [[nodiscard]] std::int64_t positive_or(const char* field,
                                         std::int64_t otherwise,
                                         std::int64_t most = widest) const;
  [[nodiscard]] std::int64_t count_or(const char* field, std::int64_t otherwise) const;  // 0 too
  [[nodiscard]] double number_or(const char* field, double otherwise) const;             // above 0
  [[nodiscard]] double share_or(const char* field, double otherwise) const;  // from 0 to below 1
  // How many fields the object has that this field is.
  [[nodiscard]] std::int64_t entries_or(const char* field, std::int64_t otherwise) const;
  [[nodiscard]] bool flag_or(const char* field, bool otherwise) const;
  [[nodiscard]] std::string word_or(const char* field, std::string_view otherwise) const;
  // Null where it is not given.
  [[nodiscard]] const boost::json::array* list(const char* field) const;

  // An architecture that differs in a field would be another network under the same name.
  void require(const char* field, const boost::json::value& wanted) const;

  void require_countable(const ConfigExtent& extent) const;

  // Whether it holds another object of fields, which are then those of this.
  bool enter(const char* field);
  // Where it is not given, it says this from now on.
  void suppose(const char* field, std::string_view word);
  void call(const char* field, std::string_view word);  // also where it is given
  // Of a list that says the same of every layer, that; throws NetworkError for one that does not.
  void use_one(const char* field);
  // What one field says another says from now on, if it does not yet.
  void read_as(const char* field, const char* other);

  [[noreturn]] void fail(const char* field, const std::string& why) const;
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string path_;
  boost::json::object object_;
};

}  // namespace rightsize
