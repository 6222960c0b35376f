// What the leak check of AddressSanitizer leaves out in the command: fontconfig keeps its tables until the process ends.
extern "C" char const* __lsan_default_suppressions();
extern "C" char const* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
// Silent on them, since what a command prints is compared.
extern "C" char const* __lsan_default_options();
extern "C" char const* __lsan_default_options() { return "print_suppressions=0"; }
