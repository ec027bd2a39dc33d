#include "profiler/store/foreign.h"

#include <optional>
#include <sstream>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/exact_json.h"
#include "profiler/store/possible_record.h"
#include "profiler/store/store.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// fio prints its warnings before the document.
std::optional<json::value> whole_document(const std::string& text) {
  const auto brace = text.starts_with('[') || text.starts_with('{') ? 0 : text.find("\n{");
  if (brace == std::string::npos) {
    return std::nullopt;
  }
  return parse_exactly(std::string_view(text).substr(brace));
}

std::vector<Record> records_of_list(const json::array& list) {
  std::vector<Record> records;
  for (const auto& element : list) {
    if (!element.is_object()) {
      throw RecordError(fmt::format("[{}]: expected a record", records.size()));
    }
    records.push_back(record_from_json(element.get_object()));
    require_possible(records.back());
  }
  return records;
}

std::optional<FileRecords> read_document(const json::value& document) {
  if (const auto* list = document.if_array()) {
    return FileRecords{FileKind::records, records_of_list(*list)};
  }
  const auto* object = document.if_object();
  if (object != nullptr && object->contains("fio version")) {
    return FileRecords{FileKind::fio, records_of_fio(*object)};
  }
  if (object != nullptr && object->contains("results")) {
    return FileRecords{FileKind::hyperfine, records_of_hyperfine(*object)};
  }
  return std::nullopt;  // a single line of JSON lines
}

}  // namespace

std::string_view to_string(FileKind kind) {
  return kind == FileKind::hyperfine ? "hyperfine" : kind == FileKind::fio ? "fio" : "rightsize";
}

FileRecords read_records(const std::string& text, const std::string& source_name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // as some editors write in front
  if (text.starts_with(byte_order_mark)) {
    return read_records(text.substr(byte_order_mark.size()), source_name);
  }
  if (const auto document = whole_document(text)) {
    try {
      if (auto read = read_document(*document)) {
        return std::move(*read);
      }
    } catch (const RecordError& error) {
      throw StoreError(fmt::format("{}: {}", source_name, error.what()));
    }
  }
  std::istringstream lines(text);
  return {FileKind::records, read_jsonl(lines, source_name)};
}

}  // namespace rightsize
