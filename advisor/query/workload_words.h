// The words of people and papers for what a network does, in which precision, and with which data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/workload.h"

namespace rightsize {

// nullopt for phrases that mean nothing here, or two things; "" is such a phrase.
[[nodiscard]] std::optional<Phase> phase_meant(std::string_view text);
[[nodiscard]] std::optional<Precision> precision_meant(std::string_view text);
// "real" is a data set read the usual way, RecordIO's.
[[nodiscard]] std::optional<DataFormat> data_meant(std::string_view text);

// The words that are understood, for errors: "words such as train, training, ...", and which of
// them is near to what was written.
[[nodiscard]] std::string known_phases(std::string_view written);
[[nodiscard]] std::string known_precisions(std::string_view written);
[[nodiscard]] std::string known_data(std::string_view written);

}  // namespace rightsize
