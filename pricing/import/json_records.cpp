#include "pricing/import/json_records.h"

#include <algorithm>
#include <limits>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>
#include <fmt/format.h>

#include "pricing/money.h"

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::size_t max_record_bytes = 64UL << 20;
constexpr std::size_t node_bytes = 128;  // about what a node costs besides its text

// What the parser calls. Keeps the path always, and nodes only inside a wanted value.
class Collector {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_object_size = unlimited;
  static constexpr std::size_t max_array_size = unlimited;
  static constexpr std::size_t max_key_size = 1UL << 16;
  static constexpr std::size_t max_string_size = 1UL << 24;

  Collector(const std::function<bool(const JsonPath&)>& wanted,
            const std::function<void(const JsonPath&, const JsonNode&)>& use)
      : wanted_(wanted), use_(use) {}

  int line = 1;

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& ec) { return open(JsonNode::Kind::object, ec); }
  bool on_array_begin(json::error_code& ec) { return open(JsonNode::Kind::array, ec); }
  bool on_object_end(std::size_t, json::error_code&) { return close(); }
  bool on_array_end(std::size_t, json::error_code&) { return close(); }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code&) {
    key_.append(part.data(), part.size());
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code& ec) {
    return append(part, ec);
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& ec) {
    return append(part, ec) && scalar(JsonNode::Kind::string, ec);
  }
  bool on_number_part(json::string_view part, json::error_code& ec) { return append(part, ec); }
  bool on_int64(std::int64_t, json::string_view part, json::error_code& ec) {
    return append(part, ec) && scalar(JsonNode::Kind::number, ec);
  }
  bool on_uint64(std::uint64_t, json::string_view part, json::error_code& ec) {
    return append(part, ec) && scalar(JsonNode::Kind::number, ec);
  }
  bool on_double(double, json::string_view part, json::error_code& ec) {
    return append(part, ec) && scalar(JsonNode::Kind::number, ec);
  }
  bool on_bool(bool value, json::error_code& ec) {
    return append(value ? "true" : "false", ec) && scalar(JsonNode::Kind::boolean, ec);
  }
  bool on_null(json::error_code& ec) { return scalar(JsonNode::Kind::null, ec); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  // For the next document.
  void restart() {
    path_.clear();
    kinds_.clear();
    open_.clear();
    key_.clear();
    text_.clear();
    record_depth_ = 0;
  }

 private:
  bool append(json::string_view part, json::error_code& ec) {
    text_.append(part.data(), part.size());
    return charge(part.size(), ec);
  }

  bool charge(std::size_t bytes, json::error_code& ec) {
    bytes_ += collecting() ? bytes : 0;
    if (bytes_ > max_record_bytes) {
      ec = json::make_error_code(json::error::array_too_large);
      return false;
    }
    return true;
  }

  [[nodiscard]] bool collecting() const { return record_depth_ > 0; }

  // A value begins here: its place is the last element of the path until leave().
  void enter() {
    if (!kinds_.empty()) {
      const bool in_array = kinds_.back() == JsonNode::Kind::array;
      path_.push_back(in_array ? "[]" : std::move(key_));
    }
    key_.clear();
  }

  void leave() {
    if (!path_.empty()) {
      path_.pop_back();
    }
  }

  JsonNode node(JsonNode::Kind kind) {
    JsonNode made;
    made.kind = kind;
    made.line = line;
    if (kinds_.empty() || kinds_.back() == JsonNode::Kind::object) {
      made.key = path_.empty() ? std::string() : path_.back();
    }
    return made;
  }

  bool open(JsonNode::Kind kind, json::error_code& ec) {
    enter();
    if (collecting() || wanted_(path_)) {
      open_.push_back(node(kind));
      record_depth_ += 1;
      if (!charge(node_bytes + open_.back().key.size(), ec)) {
        return false;
      }
    }
    kinds_.push_back(kind);
    return true;
  }

  bool close() {
    kinds_.pop_back();
    if (collecting()) {
      JsonNode done = std::move(open_.back());
      open_.pop_back();
      record_depth_ -= 1;
      finish(std::move(done));
    }
    leave();
    return true;
  }

  bool scalar(JsonNode::Kind kind, json::error_code& ec) {
    enter();
    if (collecting() || wanted_(path_)) {
      JsonNode value = node(kind);
      value.text = std::move(text_);
      if (!charge(node_bytes + value.key.size(), ec)) {
        return false;
      }
      finish(std::move(value));
    }
    text_.clear();
    leave();
    return true;
  }

  void finish(JsonNode done) {
    if (collecting()) {
      open_.back().members.push_back(std::move(done));
    } else {
      use_(path_, done);
      bytes_ = 0;
    }
  }

  const std::function<bool(const JsonPath&)>& wanted_;
  const std::function<void(const JsonPath&, const JsonNode&)>& use_;
  JsonPath path_;
  std::vector<JsonNode::Kind> kinds_;  // of the arrays and objects around this place
  std::vector<JsonNode> open_;         // those of them that are kept
  int record_depth_ = 0;
  std::string key_;
  std::string text_;
  std::size_t bytes_ = 0;
};

using Parser = json::basic_parser<Collector>;

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

[[noreturn]] void not_json(std::string_view file, int line, const json::error_code& error) {
  throw PricingError(
      error == json::error::array_too_large
          ? fmt::format(
                "{}:{}: one record is larger than 64 MiB: this is no price list", file, line)
          : fmt::format("{}:{}: this is not JSON: {}", file, line, error.message()));
}

// Feeds line by line, so that every record knows its line.
class Feeder {
 public:
  Feeder(Parser& parser, std::string_view file) : parser_(parser), file_(file) {}

  void feed(std::string_view piece) {
    while (!piece.empty()) {
      if (!started_ && blank(piece)) {
        return;
      }
      started_ = true;
      json::error_code error;
      const auto used = parser_.write_some(true, piece.data(), piece.size(), error);
      if (error) {
        not_json(file_, parser_.handler().line, error);
      }
      piece.remove_prefix(used);
      if (parser_.done() || used == 0) {
        restart();
      }
    }
  }

  void finish() {
    if (started_) {
      json::error_code error;
      parser_.write_some(false, "", 0, error);
      if (error) {
        not_json(file_, parser_.handler().line, error);
      }
      documents_ += 1;
    }
    if (documents_ == 0) {
      throw PricingError(fmt::format("{}: the file is empty, expected JSON", file_));
    }
  }

 private:
  void restart() {
    parser_.reset();
    parser_.handler().restart();
    started_ = false;
    documents_ += 1;
  }

  Parser& parser_;
  std::string_view file_;
  bool started_ = false;
  std::size_t documents_ = 0;
};

}  // namespace

const JsonNode& JsonNode::operator[](std::string_view name) const {
  static const JsonNode none;
  const auto found = std::find_if(
      members.begin(), members.end(), [&](const auto& member) { return member.key == name; });
  return kind != Kind::object || found == members.end() ? none : *found;
}

void for_each_json_record(std::istream& in,
                          std::string_view file,
                          const std::function<bool(const JsonPath&)>& wanted,
                          const std::function<void(const JsonPath&, const JsonNode&)>& use) {
  Parser parser(json::parse_options{}, wanted, use);
  Feeder feeder(parser, file);
  std::string buffer(1UL << 16, '\0');
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
    std::string_view rest(buffer.data(), static_cast<std::size_t>(in.gcount()));
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      const auto piece = rest.substr(0, end == std::string_view::npos ? rest.size() : end + 1);
      feeder.feed(piece);
      rest.remove_prefix(piece.size());
      parser.handler().line += end == std::string_view::npos ? 0 : 1;
    }
  }
  feeder.finish();
}

}  // namespace rightsize
