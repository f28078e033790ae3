// What Swift's Glibc module leaves out: the thread id, the clock that counts suspended time, the allocator's settings,
// a terminal's size, the limit of open files.
#ifndef SALVO_CLINUX_SHIMS_H
#define SALVO_CLINUX_SHIMS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Kernel id of the calling thread. pthread_self() is declared const and may be folded across a suspension.
static inline int32_t clinux_gettid(void) { return (int32_t)syscall(SYS_gettid); }

/// Names the calling thread as `ps -L` and `top -H` show it; at most 15 bytes.
static inline void clinux_set_thread_name(const char *_Nonnull name) { pthread_setname_np(pthread_self(), name); }

/// Blocks of `bytes` and more are mapped one by one; the allocator no longer changes the size by itself.
static inline void clinux_map_blocks_from(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

/// Nanoseconds since boot, suspended time included (CLOCK_BOOTTIME): leases must end on a sleeping machine too.
static inline uint64_t clinux_boottime_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/// Cells a row and rows of the terminal behind the descriptor; 0 and 0 when it is none.
typedef struct {
  int32_t columns;
  int32_t rows;
} clinux_terminal;
static inline clinux_terminal clinux_terminal_size(int descriptor) {
  struct winsize size = {0};
  clinux_terminal found = {0, 0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
    found.columns = size.ws_col;
    found.rows = size.ws_row;
  }
  return found;
}

/// How many files and connections this process may have open; INT64_MAX = as many as it likes.
static inline int64_t clinux_open_files_limit(void) {
  // Not getrlimit: its header has one enumeration more under _GNU_SOURCE than in Swift's Glibc module, which a build from
  // nothing refuses.
  long limit = sysconf(_SC_OPEN_MAX);
  return limit < 0 ? INT64_MAX : limit;
}

/// Nanoseconds since the epoch (CLOCK_REALTIME).
static inline int64_t clinux_realtime_nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000000000ll + (int64_t)t.tv_nsec;
}
#endif
