/// Finds out whether something is mounted at a path itself, so that no other file can take its place.
///
/// @return 1 or 0; -1 where that is not known (kernels before Linux 5.8, other systems).
int flagboard_is_mount_point(const char *path);
