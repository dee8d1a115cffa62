#include <sys/types.h>

/// Finds the user whose process is at the other end of a local socket.
///
/// Swift's C library modules leave out what Linux (`SO_PEERCRED`) has for it.
///
/// @return 0 with the effective user id in `user`, or -1 with `errno` set.
int flagboard_peer_user(int socket, uid_t *user);
