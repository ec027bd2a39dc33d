// A record as a row of the store holds it: its JSON without the timeline, and the timeline
// compressed, which is nine tenths of it. To the last digit: what is put together again is the text
// that was taken apart.
#pragma once

#include <string>

#include "profiler/record.h"

namespace rightsize {

struct PackedRecord {
  std::string body;      // JSON; of a packed record its timeline is []
  std::string timeline;  // deflated (zlib, RFC 1950) JSON; empty: the body has it all
};

// Of JSON as to_json(Record) writes it, whose last field is the timeline; anything else stays
// whole.
[[nodiscard]] PackedRecord pack_record(std::string json);

// Throws RecordError when the timeline is damaged.
[[nodiscard]] std::string unpack_record(const PackedRecord& packed);

// Of such JSON, to the last digit. Throws RecordError.
[[nodiscard]] Record record_in(const std::string& json);

}  // namespace rightsize
