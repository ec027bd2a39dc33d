#include "advisor/machine/batch_file.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "advisor/machine/batch_columns.h"
#include "advisor/machine/batch_gpus.h"
#include "advisor/machine/batch_unread.h"
#include "advisor/query/query_data.h"
#include "advisor/query/software_words.h"
#include "advisor/query/toml_fields.h"
#include "advisor/query/usage_error.h"
#include "advisor/spreadsheet_text.h"
#include "kernels/longer_sequence.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "models/laws/spelling.h"
#include "pricing/import/csv.h"
#include "pricing/import/utf8.h"
#include "pricing/money.h"

namespace rightsize {
namespace {

// A name that says them wrongly is told when it is asked about.
int tokens_of_pictures(const Configuration& asked) {
  try {
    return picture_tokens(asked.network);
  } catch (const std::exception&) {
    return 0;
  }
}

// What no network can be made of is told when it is asked about.
std::uint64_t bytes_of_tokens(const Configuration& asked) {
  try {
    return asked.items * token_bytes(make_network(asked.network, asked.sequence, asked.phase));
  } catch (const std::exception&) {
    return asked.bytes;
  }
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos
             ? ""
             : std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

// Of one of our columns, by its documented name.
std::size_t index_of(std::string_view name) {
  const auto columns = batch_columns();
  const auto found = std::find_if(
      columns.begin(), columns.end(), [&](const auto& column) { return column.names[0] == name; });
  return static_cast<std::size_t>(found - columns.begin());
}

// "Batch Size" and "GPU-count" are batch_size and gpu_count; headings of other letters than ours,
// as "#", are nobody's.
bool is_named(const BatchColumn& column, std::string_view heading) {
  const auto said = bare(heading);
  return !said.empty() && std::any_of(column.names.begin(), column.names.end(), [&](auto name) {
    return bare(name) == said;
  });
}

// Where the file has what `column` reads; -1: nowhere. Which of two is meant, nobody can tell.
int find_column(const BatchColumn& column, const CsvTable& table, const std::string& file) {
  int found = -1;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (!is_named(column, table.header[i])) {
      continue;
    }
    if (found >= 0) {
      const auto& first = table.header[static_cast<std::size_t>(found)];
      const bool same = first == table.header[i];
      throw UsageError(
          same ? fmt::format(
                     "{}:1:{}: column \"{}\" is there twice; leave one out", file, i + 1, first)
               : fmt::format("{}:1:{}: columns \"{}\" and \"{}\" say the same thing; leave one out",
                             file,
                             i + 1,
                             first,
                             table.header[i]));
    }
    found = static_cast<int>(i);
  }
  return found;
}

// Index of the CSV column for each of ours, -1 where the file has none.
std::vector<int> find_columns(const CsvTable& table, const std::string& file) {
  std::vector<int> found;
  for (const auto& column : batch_columns()) {
    found.push_back(find_column(column, table, file));
  }
  if (found[index_of("network")] < 0) {
    std::vector<std::string> known;
    for (const auto& column : batch_columns()) {
      known.emplace_back(column.names[0]);
    }
    const auto first = table.header.empty() ? "" : table.header[0];
    const auto near = nearest_word(first, known);
    throw UsageError(
        fmt::format("{}:1:1: no column \"network\"{}; the columns are listed by rightsize predict "
                    "--help",
                    file,
                    near.empty() || near == first ? "" : fmt::format(" (\"{}\"?)", first)));
  }
  return found;
}

// Whether the file's column says what ours could: most of its cells that say something can be read.
// A few that cannot are mistakes, as anywhere.
bool could_be(const BatchColumn& column, std::size_t index, const std::vector<BatchRow>& rows) {
  int readable = 0;
  int said = 0;
  for (const auto& row : rows) {
    const auto text = index < row.cells.size() ? trimmed(row.cells[index]) : "";
    BatchDraft draft;
    said += text.empty() ? 0 : 1;
    readable += !text.empty() && column.read(text, draft) ? 1 : 0;
  }
  return readable * 2 > said;
}

// "batchsise" for batch_size, but not "notes" for nodes: what is in it has to be readable, and the
// column that is meant not there by its own name. Of names of three letters, such as "id", any
// other is near.
std::vector<MistypedColumn> find_mistyped(const BatchFile& batch, const std::vector<int>& found) {
  constexpr std::size_t shortest_name = 4;
  const auto columns = batch_columns();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto name : columns[i].names) {
      if (found[i] < 0 && name.size() >= shortest_name) {
        names.emplace_back(name);
      }
    }
  }
  std::vector<MistypedColumn> mistyped;
  for (std::size_t index = 0; index < batch.header.size(); ++index) {
    const bool read = std::find(found.begin(), found.end(), static_cast<int>(index)) != found.end();
    const auto& name = batch.header[index];
    const auto near = read || is_unread(name) || name.size() < shortest_name
                          ? ""
                          : nearest_word(in_lower_case(name), names);
    const auto meant = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
      return !near.empty() &&
             std::find(column.names.begin(), column.names.end(), near) != column.names.end();
    });
    if (meant != columns.end() && could_be(*meant, index, batch.rows)) {
      mistyped.push_back({name, near});
    }
  }
  return mistyped;
}

std::string expected_of(const BatchColumn& column, const std::string& text) {
  return column.instead != nullptr ? column.instead(text) : std::string(column.expected);
}

// What is wrong with the first cell that no row reads and that would change the answer; "" where
// there is none. `draft` is what was read of the row.
std::string unread_cell(const CsvTable::Row& row,
                        const std::vector<int>& found,
                        const std::vector<std::string>& names,
                        const std::string& file,
                        const BatchDraft& draft) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool read = std::find(found.begin(), found.end(), static_cast<int>(i)) != found.end();
    const auto text = trimmed(row.fields[i]);
    const auto mistake = read ? "" : unread_mistake(names[i], text, draft);
    if (!mistake.empty()) {
      return fmt::format(
          "{}:{}:{}: {} = \"{}\": {}", file, row.line, i + 1, names[i], text, mistake);
    }
  }
  return "";
}

// What is wrong with the first cell that is read and cannot be; "" where all are in the draft.
std::string read_cells(const CsvTable::Row& row,
                       const std::vector<int>& found,
                       const std::vector<std::string>& names,
                       const std::string& file,
                       BatchDraft& draft) {
  const auto columns = batch_columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto text = found[i] < 0 ? "" : trimmed(row.fields[static_cast<std::size_t>(found[i])]);
    if (!text.empty() && !columns[i].read(text, draft)) {
      return fmt::format("{}:{}:{}: {} = \"{}\": expected {}",
                         file,
                         row.line,
                         found[i] + 1,
                         names[static_cast<std::size_t>(found[i])],
                         text,
                         expected_of(columns[i], text));
    }
  }
  return "";
}

// `names` are the file's own, by which its reader knows the columns.
BatchRow read_row(const CsvTable::Row& row,
                  const std::vector<int>& found,
                  const std::vector<std::string>& names,
                  const std::string& file) {
  const auto width = names.size();
  BatchRow result;
  result.line = row.line;
  result.cells = row.fields;
  result.cells.resize(width);
  if (row.fields.size() != width) {
    result.mistake = fmt::format("{}:{}: {} field{}, the header has {}",
                                 file,
                                 row.line,
                                 row.fields.size(),
                                 row.fields.size() == 1 ? "" : "s",
                                 width);
    return result;
  }
  BatchDraft draft;
  result.mistake = read_cells(row, found, names, file, draft);
  if (!result.mistake.empty()) {
    return result;
  }
  if (const auto mistake = share_gpus(draft); !mistake.empty()) {
    const int gpus = found[index_of("gpus")];
    const auto column = gpus < 0 ? "" : fmt::format(":{}", gpus + 1);
    result.mistake = fmt::format("{}:{}{}: {}", file, row.line, column, mistake);
  } else {
    result.mistake = unread_cell(row, found, names, file, draft);
  }
  take_form_of_framework(draft.asked);
  auto& writing = draft.asked.writing;
  writing.prompt_tokens += writing.prompt_tokens > 0 ? tokens_of_pictures(draft.asked) : 0;
  draft.asked.sequence =
      std::max(draft.asked.sequence, writing.prompt_tokens + writing.output_tokens);
  draft.asked.bytes = imagenet_bytes(draft.asked.data);
  draft.asked.shuffle = draft.asked.data != DataFormat::lmdb;  // read in order, as Caffe does
  if (draft.asked.data == DataFormat::tokens) {
    draft.asked.bytes = bytes_of_tokens(draft.asked);
    draft.asked.shuffle = false;
  }
  if (const auto samples = usual_samples(draft.asked.network)) {
    draft.asked.items = samples->items;
    draft.asked.bytes = samples->bytes;
    draft.asked.shuffle = false;
  }
  result.asked = draft.asked;
  return result;
}

}  // namespace

BatchFile parse_batch_file(std::string_view text, const std::string& file) {
  BatchFile batch;
  const auto last = text.find_last_not_of(" \t\r\n");  // empty lines at the end are no rows
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  try {
    std::istringstream in(as_commas(text));
    CsvStream rows(in, file);
    CsvTable::Row row;
    if (!rows.next(row)) {
      throw UsageError(fmt::format("{}: the file is empty, expected a header line", file));
    }
    if (const int line = first_line_not_utf8(text); line > 0) {
      throw UsageError(fmt::format(
          "{}:{}: not UTF-8: save the file as UTF-8 (in Excel \"CSV UTF-8\")", file, line));
    }
    CsvTable table;
    for (const auto& name : row.fields) {
      table.header.push_back(trimmed(name));
    }
    const auto found = find_columns(table, file);
    batch.header = table.header;
    const auto width = table.header.size();
    // After a quote that is never closed nobody knows where rows end; other mistakes spoil theirs.
    const bool closed = std::count(text.begin(), text.end(), '"') % 2 == 0;
    for (bool more = true; more;) {
      try {
        more = rows.next(row);
        if (more) {
          batch.rows.push_back(read_row(row, found, table.header, file));
        }
      } catch (const PricingError& error) {
        if (!closed) {
          throw;
        }
        batch.rows.push_back({row.line, {}, error.what(), std::vector<std::string>(width)});
      }
    }
    batch.mistyped = find_mistyped(batch, found);
  } catch (const PricingError& error) {
    throw UsageError(error.what());
  }
  return batch;
}

}  // namespace rightsize
