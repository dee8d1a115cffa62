#define _GNU_SOURCE
#include "socket_peer.h"

#include <sys/socket.h>
#include <unistd.h>

int flagboard_peer_user(int socket, uid_t *user) {
#if defined(__linux__)
    struct ucred peer;
    socklen_t size = sizeof(peer);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *user = peer.uid;
    return 0;
#else
    gid_t group;
    return getpeereid(socket, user, &group);
#endif
}
