// Which GPU a table means, by its name, by the memory that it states and by the machine it is in.
#pragma once

#include "pricing/import/import.h"

namespace rightsize {

// Names the GPUs of all offers as the product does (ImportOptions::gpu_name). An A100 with 80 GiB
// is another GPU than one with 40; where there are two of 80 they may be two of 40 whose memory was
// added up, which is noted. A machine that our tables know to have another form of the card (PCIe,
// NVL) than the file's word for the model has that one.
void name_gpus(ImportedTable& table, const ImportOptions& options);

}  // namespace rightsize
