// Records from the files of other tools, recognised by what is in them.
//
// hyperfine (--export-json, of versions 1 and 2): one record per result. An item is one run of the
// command, so the throughput is runs per second: median and interval of 1 / time.
//
// fio (--output-format=json): one record per job and direction. An item is one request, so the
// throughput is IOPS; `median` is fio's average, its interval the normal one of fio's samples.
// Bytes count as the disk's only with direct=1.
//
// Neither file says which machine or limits it was made under: those stay empty, and a note says
// so. The records have a `command`, so no fit takes them for our own kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "profiler/record.h"

namespace rightsize {

// Both throw RecordError naming the field that is missing or not as documented.
[[nodiscard]] std::vector<Record> records_of_hyperfine(const boost::json::object& document);
[[nodiscard]] std::vector<Record> records_of_fio(const boost::json::object& document);

enum class FileKind { records, hyperfine, fio };
[[nodiscard]] std::string_view to_string(FileKind kind);

struct FileRecords {
  FileKind kind = FileKind::records;
  std::vector<Record> records;
};

// A file of any of them: JSON lines or a JSON list of records, or a document of the tools above.
// Throws StoreError naming `source_name` and the line or field.
[[nodiscard]] FileRecords read_records(const std::string& text, const std::string& source_name);

}  // namespace rightsize
