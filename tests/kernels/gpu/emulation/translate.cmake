# cmake -D SOURCE=... -D RESULT=... -P translate.cmake: CUDA C++ to C++ for emulation. Two things
# of CUDA are no C++: launches, which become calls with the kernel's call in a lambda, and variables
# in shared memory, which become references to the block's. #line keeps messages true to the source.
file(READ "${SOURCE}" text)
string(REGEX REPLACE
  "([A-Za-z_][A-Za-z0-9_]*(<[^;{}()]*>)?)[ \n]*<<<([^;]*)>>>(\\([^;]*\\);)"
  "::rightsize::emulation::launch({\\3}, [&] { \\1\\4 });" text "${text}")
string(REGEX REPLACE
  "extern __shared__ (__align__\\([0-9]+\\) )?([^;]*[ \n])([a-z_]+)\\[\\];"
  "\\2* const \\3 = ::rightsize::emulation::dynamic_shared<\\2>();" text "${text}")
string(REGEX REPLACE
  "__shared__ (__align__\\([0-9]+\\) )?([^;]*[ \n])([a-z_]+)((\\[[^;]*\\])*);"
  "\\2(&\\3)\\4 = ::rightsize::emulation::block_shared<\\2\\4>();" text "${text}")
if(text MATCHES "<<<|__shared__")
  message(FATAL_ERROR "${SOURCE}: a launch or a shared variable here is written in a way that "
    "tests/kernels/gpu/emulation/translate.cmake does not know")
endif()
file(WRITE "${RESULT}" "#line 1 \"${SOURCE}\"\n${text}")
