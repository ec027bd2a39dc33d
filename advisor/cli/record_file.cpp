#include "advisor/cli/record_file.h"

#include "advisor/cli/command.h"
#include "advisor/query/usage_error.h"
#include "profiler/store/store.h"

namespace rightsize::cli {

FileRecords read_record_file(const std::string& file) {
  const auto text = read_file(file);
  try {
    if (text.starts_with("SQLite format 3")) {  // sqlite.org/fileformat.html
      return {FileKind::records, Store(file, {Access::read}).all()};
    }
    return read_records(text, file);
  } catch (const StoreError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace rightsize::cli
