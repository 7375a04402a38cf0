// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded before the runtime, makes calls of the runtime fail, and only
// those: FAULT=KIND:N has the Nth call of that kind fail, KIND:N+ that one and
// all that follow. With FAULT_COUNTS a file gets the number of calls of each
// kind when the process ends.
#include "../../../runtime/cupti/CuptiLibrary.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Kind {
  Alloc,
  Write,
  Map,
  Thread,
  Dlopen,
  Dlsym,
  Open,
  File,
  Cupti,
  Kinds
};
static const char *const names[] = {"alloc",  "write",  "mmap",
                                    "thread", "dlopen", "dlsym",
                                    "open",   "file",   "cupti"};
static const int errors[] = {ENOMEM, ENOSPC, ENOMEM, EAGAIN, 0,
                             0,      EMFILE, EIO,    0};
static std::atomic<long> counts[Kinds];

static bool isRuntime(void *caller) {
  dl_find_object found;
  return _dl_find_object(caller, &found) == 0 && found.dlfo_link_map &&
         strstr(found.dlfo_link_map->l_name, "libautoprof.so");
}

// Whether this call is to fail.
static bool fails(Kind kind, void *caller) {
  if (!isRuntime(caller))
    return false;
  const long number = counts[kind].fetch_add(1) + 1;
  const char *fault = getenv("FAULT");
  const size_t length = strlen(names[kind]);
  if (!fault || strncmp(fault, names[kind], length) != 0 ||
      fault[length] != ':')
    return false;
  char *end;
  const long first = strtol(fault + length + 1, &end, 10);
  if (number != first && !(*end == '+' && number > first))
    return false;
  if (errors[kind])
    errno = errors[kind];
  return true;
}

__attribute__((destructor)) static void sayCounts() {
  const char *path = getenv("FAULT_COUNTS");
  FILE *file = path ? fopen(path, "a") : nullptr;
  if (!file)
    return;
  for (int i = 0; i < Kinds; ++i)
    fprintf(file, "%s %ld\n", names[i], counts[i].load());
  fclose(file);
}

#define CALLER __builtin_return_address(0)
#define EXPORT extern "C" __attribute__((visibility("default")))

static void *realDlsym(void *library, const char *name) {
  static auto next = reinterpret_cast<void *(*)(void *, const char *)>(
      dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"));
  return next(library, name);
}

// Defines the function of the C library: in the runtime's calls of `Kind` it
// may return `Failure`.
#define INTERPOSE(Result, Name, Kind, Failure, Parameters, ...)                \
  EXPORT Result Name Parameters {                                              \
    static auto next =                                                         \
        reinterpret_cast<Result(*) Parameters>(realDlsym(RTLD_NEXT, #Name));   \
    return fails(Kind, CALLER) ? Failure : next(__VA_ARGS__);                  \
  }

// Looking up a name allocates.
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
}

EXPORT void *malloc(size_t size) {
  return fails(Alloc, CALLER) ? nullptr : __libc_malloc(size);
}
EXPORT void *calloc(size_t n, size_t size) {
  return fails(Alloc, CALLER) ? nullptr : __libc_calloc(n, size);
}
EXPORT void *realloc(void *old, size_t size) {
  return fails(Alloc, CALLER) ? nullptr : __libc_realloc(old, size);
}
// Messages arrive.
EXPORT ssize_t write(int file, const void *bytes, size_t count) {
  return file != 2 && fails(Write, CALLER)
             ? -1
             : syscall(SYS_write, file, bytes, count);
}
EXPORT int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  return fails(Open, CALLER)
             ? -1
             : int(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
EXPORT int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  const long argument = va_arg(rest, long);
  va_end(rest);
  return fails(File, CALLER) ? -1
                             : int(syscall(SYS_fcntl, file, command, argument));
}
INTERPOSE(FILE *, fopen, Open, nullptr, (const char *path, const char *mode),
          path, mode)
INTERPOSE(void *, mmap, Map, MAP_FAILED,
          (void *at, size_t size, int protection, int flags, int file,
           off_t offset),
          at, size, protection, flags, file, offset)
INTERPOSE(int, pthread_create, Thread, EAGAIN,
          (pthread_t * thread, const pthread_attr_t *attributes,
           void *(*run)(void *), void *data),
          thread, attributes, run, data)
INTERPOSE(int, pthread_key_create, Thread, EAGAIN,
          (pthread_key_t * key, void (*end)(void *)) noexcept, key, end)
INTERPOSE(void *, dlopen, Dlopen, nullptr, (const char *name, int flags), name,
          flags)
INTERPOSE(int, ftruncate, File, -1, (int file, off_t size) noexcept, file, size)
INTERPOSE(int, rename, File, -1, (const char *from, const char *to) noexcept,
          from, to)
INTERPOSE(off_t, lseek, File, -1, (int file, off_t offset, int from) noexcept,
          file, offset, from)
INTERPOSE(ssize_t, read, File, -1, (int file, void *bytes, size_t count), file,
          bytes, count)
INTERPOSE(int, stat, File, -1, (const char *path, struct stat *status) noexcept,
          path, status)
INTERPOSE(int, socket, File, -1, (int domain, int type, int protocol) noexcept,
          domain, type, protocol)
INTERPOSE(char *, getcwd, File, nullptr, (char *buffer, size_t size) noexcept,
          buffer, size)
INTERPOSE(char *, realpath, File, nullptr,
          (const char *path, char *buffer) noexcept, path, buffer)

// A function of CUPTI that fails when it is its turn.
template <int Id, typename F> struct Failing;
template <int Id, typename... Arguments>
struct Failing<Id, CUptiResult (*)(Arguments...)> {
  static inline CUptiResult (*next)(Arguments...) = nullptr;
  static CUptiResult call(Arguments... arguments) {
    return fails(Cupti, CALLER) ? CUPTI_ERROR_UNKNOWN : next(arguments...);
  }
};

template <int Id, typename F> static void *wrap(void *found, F) {
  Failing<Id, F>::next = reinterpret_cast<F>(found);
  return reinterpret_cast<void *>(&Failing<Id, F>::call);
}

EXPORT void *dlsym(void *library, const char *name) noexcept {
  if (fails(Dlsym, CALLER))
    return nullptr;
  void *found = realDlsym(library, name);
  if (!found || !isRuntime(CALLER))
    return found;
#define WRAP(Name)                                                             \
  if (strcmp(name, #Name) == 0)                                                \
    return wrap<__COUNTER__>(found, &::Name);
  AUTOPROF_CUPTI_FUNCTIONS(WRAP)
  AUTOPROF_CUPTI_OPTIONAL(WRAP)
  return found;
}
