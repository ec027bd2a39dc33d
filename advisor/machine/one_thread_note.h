// What is said of work that one thread does alone.
#pragma once

#include <string>

#include "models/model.h"
#include "models/setting.h"

namespace rightsize {

// Where the CPUs limit and more of them than the setting's hardly help, as most of an item's time
// is one thread's, a database's only writer: the items/s it ends at. Else empty.
[[nodiscard]] std::string one_thread_note(const Laws& laws, const Setting& setting);

}  // namespace rightsize
