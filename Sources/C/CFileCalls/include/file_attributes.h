#include <sys/types.h>

/// Gives a file the access control list and the extended attributes of another one, and takes away a list that the other
/// one has not.
///
/// Labels that the system keeps (`security.selinux`) are given too where this process may; what says something of the file's
/// bytes (`security.ima`, `security.evm`) or makes a program of it (`security.capability`) is not. Swift's C library modules leave
/// out what Linux (`fsetxattr`) and macOS (`fcopyfile`) have for it.
///
/// @param from The file whose attributes are wanted, open.
/// @param to The new file, open for writing.
/// @param lost Called with the name of each attribute of the system that the new file can't have; may be null.
/// @param context Handed to it.
/// @return 0, or -1 with `errno` set where the new file can't have the list, or an attribute of the owner's.
int flagboard_copy_attributes(int from, int to, void (*lost)(void *, const char *), void *context);

/// Finds out whether a new file of a folder has, or can get, an owner and a group.
///
/// The file that this is tried with has no name, so that nobody sees it.
///
/// @return 1 or 0; -1 where that is not known.
int flagboard_can_own(const char *folder, uid_t owner, gid_t group);
