// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lib/libautoprof-substitute.so.
// Rewritten text must reach nvcc under the name of the original file: only then
// are __FILE__, `#include "x"`, #pragma once, dependency files and messages the
// same as without autoprof. nvcc has no overlay file system, so autoprof-nvcc
// preloads this library into nvcc and the programs that it starts. A program
// that opens such a file for reading gets the substitute.
//
// Files are recognized by device and inode, so it does not matter how their
// path is written. AUTOPROF_SUBSTITUTES names the list: one line "DEVICE INODE
// PATH" for each file, and nothing else. A file "used" next to the list shows
// that a substitute was read at all: a compiler on another machine never does
// so.
//
// It must not disturb its host: it allocates nothing, throws nothing, and keeps
// errno; if anything fails, the original is read.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr size_t LargestList = 64 * 1024;

int openFile(int Folder, const char *Path, int Flags, mode_t Mode) {
  return static_cast<int>(syscall(SYS_openat, Folder, Path, Flags, Mode));
}

/// The list, read once; `Size` is 0 if there is none.
struct List {
  char Text[LargestList + 1];
  size_t Size = 0;

  List() {
    const char *Path = std::getenv("AUTOPROF_SUBSTITUTES");
    const int File =
        Path ? openFile(AT_FDCWD, Path, O_RDONLY | O_CLOEXEC, 0) : -1;
    if (File < 0)
      return;
    for (ssize_t Part;
         (Part = read(File, Text + Size, LargestList - Size)) > 0;)
      Size += Part;
    close(File);
    Text[Size] = 0;
  }

  /// The path of the substitute, up to the end of its line; null if none.
  const char *find(const struct stat &Status) const {
    const char *Line = Text;
    while (Line < Text + Size) {
      char *Rest = nullptr;
      const auto Device = std::strtoull(Line, &Rest, 10);
      const auto Inode = std::strtoull(Rest, &Rest, 10);
      if (Device == Status.st_dev && Inode == Status.st_ino && *Rest == ' ')
        return Rest + 1;
      Line = std::strchr(Line, '\n');
      if (!Line)
        break;
      ++Line;
    }
    return nullptr;
  }
};

/// Zero-initialized while other libraries are still being loaded.
const List TheList;

void sayUsed(const char *Substitute, size_t Length) {
  char Path[4096];
  const char *Slash =
      static_cast<const char *>(memrchr(Substitute, '/', Length));
  const size_t Folder = Slash ? Slash - Substitute + 1 : 0;
  if (!Folder || Folder + sizeof "used" > sizeof Path)
    return;
  std::memcpy(Path, Substitute, Folder);
  std::memcpy(Path + Folder, "used", sizeof "used");
  const int File =
      openFile(AT_FDCWD, Path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (File >= 0)
    close(File);
}

/// Returns `File`, which under the same number now refers to its substitute if
/// there is one.
int substitute(int File, int Flags) {
  if (File < 0 || !TheList.Size || (Flags & O_ACCMODE) != O_RDONLY)
    return File;
  const int Error = errno;
  struct stat Status;
  if (!fstat(File, &Status) && S_ISREG(Status.st_mode))
    if (const char *Found = TheList.find(Status)) {
      char Path[4096];
      const size_t Length = std::strcspn(Found, "\n");
      if (Length < sizeof Path) {
        std::memcpy(Path, Found, Length);
        Path[Length] = 0;
        const int Other = openFile(AT_FDCWD, Path, O_RDONLY | O_CLOEXEC, 0);
        if (Other >= 0) {
          if (dup3(Other, File, Flags & O_CLOEXEC) == File)
            sayUsed(Path, Length);
          close(Other);
        }
      }
    }
  errno = Error;
  return File;
}

mode_t modeOf(int Flags, va_list Rest) {
  return Flags & (O_CREAT | __O_TMPFILE) ? va_arg(Rest, mode_t) : 0;
}

using OpenStream = FILE *(*)(const char *, const char *);

FILE *openStream(const char *Real, const char *Path, const char *Mode) {
  const auto Open = reinterpret_cast<OpenStream>(dlsym(RTLD_NEXT, Real));
  FILE *Stream = Open ? Open(Path, Mode) : nullptr;
  // Nothing has been read yet, so the number may be redirected.
  if (Stream && Mode[0] == 'r' && !std::strchr(Mode, '+'))
    substitute(fileno(Stream), O_RDONLY);
  return Stream;
}

} // namespace

// Functions of the C library, with its spellings. The names that end in _2 are
// used by fortified programs.
#define EXPORT extern "C" __attribute__((visibility("default")))
// NOLINTBEGIN(readability-identifier-naming)

EXPORT int open(const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  const mode_t Mode = modeOf(Flags, Rest);
  va_end(Rest);
  return substitute(openFile(AT_FDCWD, Path, Flags, Mode), Flags);
}

EXPORT int open64(const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  const mode_t Mode = modeOf(Flags, Rest);
  va_end(Rest);
  return substitute(openFile(AT_FDCWD, Path, Flags | O_LARGEFILE, Mode), Flags);
}

EXPORT int openat(int Folder, const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  const mode_t Mode = modeOf(Flags, Rest);
  va_end(Rest);
  return substitute(openFile(Folder, Path, Flags, Mode), Flags);
}

EXPORT int openat64(int Folder, const char *Path, int Flags, ...) {
  va_list Rest;
  va_start(Rest, Flags);
  const mode_t Mode = modeOf(Flags, Rest);
  va_end(Rest);
  return substitute(openFile(Folder, Path, Flags | O_LARGEFILE, Mode), Flags);
}

EXPORT int __open_2(const char *Path, int Flags) {
  return substitute(openFile(AT_FDCWD, Path, Flags, 0), Flags);
}

EXPORT int __open64_2(const char *Path, int Flags) {
  return substitute(openFile(AT_FDCWD, Path, Flags | O_LARGEFILE, 0), Flags);
}

EXPORT FILE *fopen(const char *Path, const char *Mode) {
  return openStream("fopen", Path, Mode);
}

EXPORT FILE *fopen64(const char *Path, const char *Mode) {
  return openStream("fopen64", Path, Mode);
}
// NOLINTEND(readability-identifier-naming)
