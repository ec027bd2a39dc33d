// Whose a folder is: `dataset make` writes over what it wrote, and over nobody's own data.
#pragma once

#include <string>

namespace rightsize {

// Creates `directory` where there is none, and marks it as made here: what is in it may be replaced
// from then on. One that is not empty must have the mark already, or be `known` to be of an earlier
// version, which set none. Throws DataError otherwise, or where it cannot be written.
void claim_folder(const std::string& directory, bool known = false);

}  // namespace rightsize
