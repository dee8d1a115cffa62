/// Swaps two files that stand beside each other, at one stroke.
///
/// Swift's C library modules leave out what Linux (`renameat2`) and macOS (`renamex_np`) have for it.
///
/// @return 0, or -1 with `errno` set: `EINVAL` or `ENOSYS` or `ENOTSUP` where the file system can't.
int flagboard_exchange(const char *first, const char *second);
