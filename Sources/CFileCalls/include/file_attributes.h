/// Gives a file the access control list and the extended attributes of another one, and takes away a list that the other
/// one has not.
///
/// Security labels are left to the system, which gives them to new files by its own rules. Swift's C library modules leave out
/// what Linux (`fsetxattr`) and macOS (`fcopyfile`) have for it.
///
/// @param from The file whose attributes are wanted, open.
/// @param to The new file, open for writing.
/// @return 0, or -1 with `errno` set where the new file can't have one of them.
int flagboard_copy_attributes(int from, int to);
