// Ends, stops or fails a process at one of its calls to the system.
//
// TORTURE=NAME:N:WHAT, where NAME is a call, N counts it from 1, and WHAT is "before" or "after" (the process is killed there
// as by kill -9), "stop" (it stands still before the call, until it gets SIGCONT) or an error number (the call fails with it).
// Counting begins when the file TORTURE_ARMED exists; each counted
// call is a line in the file TORTURE_LOG. Where TORTURE_READS says how many bytes are many, each read of so many from the
// start of a file is one too: a file is read block by block. So is, as "watch", each time that a file begins to be watched: that
// is done again before each look at it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count;

// Raw calls, so that what is counted here is not counted again.
static int is_armed(void) {
    const char *file = getenv("TORTURE_ARMED");
    return file && syscall(SYS_faccessat, AT_FDCWD, file, F_OK) == 0;
}

static void record(const char *name) {
    const char *file = getenv("TORTURE_LOG");
    if (!file) return;
    int log = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) return;
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", name);
    syscall(SYS_write, log, line, length);
    syscall(SYS_close, log);
}

// 0: nothing; 1: killed after the call; else the error number to fail with. Kills at once where that is asked for.
static int fate(const char *name) {
    int saved = errno;
    const char *plan = getenv("TORTURE");
    int result = 0;
    if (is_armed()) {
        record(name);
        size_t length = strlen(name);
        if (plan && strncmp(plan, name, length) == 0 && plan[length] == ':') {
            char *rest;
            long wanted = strtol(plan + length + 1, &rest, 10);
            if (atomic_fetch_add(&count, 1) + 1 == wanted && *rest == ':') {
                if (strcmp(rest + 1, "before") == 0) kill(getpid(), SIGKILL);
                // Sent to this very thread, which then does not go on before the others stand still.
                if (strcmp(rest + 1, "stop") == 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);
                result = strcmp(rest + 1, "after") == 0 ? 1 : atoi(rest + 1);
            }
        }
    }
    errno = saved;
    return result;
}

#define WRAP(result_type, name, parameters, arguments)                       \
    result_type name parameters {                                            \
        static result_type(*next) parameters;                                \
        if (!next) next = (result_type(*) parameters)dlsym(RTLD_NEXT, #name); \
        int fated = fate(#name);                                             \
        if (fated > 1) {                                                     \
            errno = fated;                                                   \
            return -1;                                                       \
        }                                                                    \
        result_type result = next arguments;                                 \
        if (fated == 1) kill(getpid(), SIGKILL);                             \
        return result;                                                       \
    }

WRAP(int, fsync, (int file), (file))
WRAP(int, fdatasync, (int file), (file))
WRAP(int, rename, (const char *from, const char *to), (from, to))
WRAP(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
WRAP(int, link, (const char *from, const char *to), (from, to))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, ftruncate, (int file, off_t length), (file, length))
WRAP(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))

// Only writes to files count: the server also writes to sockets and to its own output.
ssize_t write(int file, const void *bytes, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    struct stat status;
    int fated = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? fate("write") : 0;
    if (fated > 1) {
        errno = fated;
        return -1;
    }
    ssize_t result = next(file, bytes, size);
    if (fated == 1) kill(getpid(), SIGKILL);
    return result;
}

// Reads are told of, and never fail: what counts is how often the reading of a large file begins.
static void tell_read(ssize_t size, off_t at) {
    int saved = errno;
    const char *many = getenv("TORTURE_READS");
    if (many && at == 0 && size >= atol(many) && is_armed()) record("read");
    errno = saved;
}

#define WRAP_READ(name)                                                                    \
    ssize_t name(int file, void *bytes, size_t size, off_t at) {                           \
        static ssize_t (*next)(int, void *, size_t, off_t);                                \
        if (!next) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, #name); \
        ssize_t result = next(file, bytes, size, at);                                      \
        tell_read(result, at);                                                             \
        return result;                                                                     \
    }

WRAP_READ(pread)
WRAP_READ(pread64)

int inotify_add_watch(int instance, const char *path, uint32_t mask) {
    static int (*next)(int, const char *, uint32_t);
    if (!next) next = (int (*)(int, const char *, uint32_t))dlsym(RTLD_NEXT, "inotify_add_watch");
    struct stat status;
    int saved = errno;
    if (is_armed() && stat(path, &status) == 0 && S_ISREG(status.st_mode)) record("watch");
    errno = saved;
    return next(instance, path, mask);
}
