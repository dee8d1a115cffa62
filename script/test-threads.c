// Tells the thread sanitizer of Swift's mutexes on Linux, for script/test-threads.
//
// A `Mutex` of the library Synchronization locks and unlocks in code that is compiled into its user, and so is
// instrumented, as long as nobody else holds it. Where somebody does, it calls the functions below, which are in a library
// that is not instrumented: the sanitizer doesn't see that whoever held the mutex is done, and reports what the mutex
// guards as raced for. A program of one global `Mutex(0)` that four tasks count up shows it.
//
// These functions take the library's place, call it, and say what it did. Nothing is suppressed: a race on what no mutex,
// or another one, guards is reported as before.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(UInt32), ._tryLockSlow() -> Bool and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool tryLockSlow(SELF void *handle) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF void *handle) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF void *handle) {
    SWIFT void (*library)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    library(thread, handle);
    __tsan_acquire(handle);
}

SWIFT bool tryLockSlow(SELF void *handle) {
    SWIFT bool (*library)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool isLocked = library(handle);
    if (isLocked) __tsan_acquire(handle);
    return isLocked;
}

SWIFT void unlockSlow(SELF void *handle) {
    SWIFT void (*library)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(handle);
    library(handle);
}
