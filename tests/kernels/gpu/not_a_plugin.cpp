// A shared library without the entry point.
extern "C" int rightsize_is_not_here() {
  return 0;
}
