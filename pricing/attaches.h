// Which classes of disks a machine attaches: a provider does not sell all it has with all it has.
// Google's machines from the fourth generation on take Hyperdisk and no Persistent Disk: which
// series that is, is from memory, as stored copies of Google's page on Hyperdisk Balanced have lost
// the list.
#pragma once

#include <string_view>

namespace rightsize {

// Of a provider that nothing is said about here: all.
[[nodiscard]] bool attaches(std::string_view provider,
                            std::string_view instance,
                            std::string_view volume);

// Of these the ones that answers choose from. Earlier machines take Hyperdisk beside Persistent
// Disk, some of them; which, and what they let through, no table here says: they get what they are
// known to take.
[[nodiscard]] bool is_offered_with(std::string_view provider,
                                   std::string_view instance,
                                   std::string_view volume);

}  // namespace rightsize
