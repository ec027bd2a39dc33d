// The files that a command's words name: a program that was edited is another program.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rightsize {

// Each word that is a regular file, or whose part after "=" is (--config=a.toml), with 16 hex
// digits of its content; of a file above 16 MiB (a data set) its size only. A program found by PATH
// is no word that names a file. Beside a source file, what it may import: one digest ("src/*.py")
// of all files that end as it does in its folder and in those below whose names an import can say;
// so copies that a run keeps in folders of its date or number are none. Folders of more than 1000
// entries are taken for data.
[[nodiscard]] std::map<std::string, std::string> named_files(const std::vector<std::string>& words);

}  // namespace rightsize
