// Which GPU a table means, by its name and by the memory that it states.
#pragma once

#include "pricing/import/import.h"

namespace rightsize {

// Names the GPUs of all offers as the product does (ImportOptions::gpu_name). An A100 with 80 GiB
// is another GPU than one with 40; where there are two of 80 they may be two of 40 whose memory was
// added up, which is noted.
void name_gpus(ImportedTable& table, const ImportOptions& options);

}  // namespace rightsize
