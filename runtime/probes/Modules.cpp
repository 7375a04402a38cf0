// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes are untrusted data: every length is checked against its segment, and a
// hook pointer is written only if it is in a writable segment of the module
// that has the note.
#include "runtime/probes/Modules.h"

#include "runtime/probes/Sites.h"

#include <cstring>
#include <link.h>
#include <utility>

namespace autoprof::runtime {

namespace {

using HookPointer = const autoprof_hooks *;

struct Note {
  HookPointer *Hooks;
  std::string_view Rows;
};

struct Scan {
  const autoprof_hooks *Hooks;
  unsigned Found = 0;
};

} // namespace

static ForkMutex ScanMutex;

// Leaked: other threads and late destructors may still use it.
static std::vector<std::string> &newTables() {
  static auto *Tables = new std::vector<std::string>;
  return *Tables;
}

static unsigned long long SeenAdds = 0;

static bool isWritable(const dl_phdr_info &Module, uintptr_t Address) {
  for (int I = 0; I < Module.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Header = Module.dlpi_phdr[I];
    uintptr_t Start = Module.dlpi_addr + Header.p_vaddr;
    if (Header.p_type == PT_LOAD && (Header.p_flags & PF_W) &&
        Address >= Start &&
        Address + sizeof(HookPointer) <= Start + Header.p_memsz)
      return Address % alignof(HookPointer) == 0;
  }
  return false;
}

// Reads a note's descriptor: the distance to the hook pointer, then the rows.
static void addNote(const dl_phdr_info &Module, const char *Descriptor,
                    size_t Size, std::vector<Note> &Notes) {
  int32_t Distance;
  if (Size < sizeof Distance + 1)
    return;
  memcpy(&Distance, Descriptor, sizeof Distance);
  uintptr_t Address =
      reinterpret_cast<uintptr_t>(Descriptor) + static_cast<intptr_t>(Distance);
  if (!isWritable(Module, Address))
    return;
  const char *Rows = Descriptor + sizeof Distance;
  Notes.push_back({reinterpret_cast<HookPointer *>(Address),
                   {Rows, strnlen(Rows, Size - sizeof Distance)}});
}

static void readNotes(const dl_phdr_info &Module, const ElfW(Phdr) & Segment,
                      std::vector<Note> &Notes) {
  const char *Cur =
      reinterpret_cast<const char *>(Module.dlpi_addr + Segment.p_vaddr);
  size_t Left = Segment.p_memsz;
  const size_t Align = Segment.p_align == 8 ? 8 : 4;
  auto Padded = [Align](size_t N) { return (N + Align - 1) & ~(Align - 1); };
  while (Left >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) Header;
    memcpy(&Header, Cur, sizeof Header);
    size_t NameAt = sizeof Header;
    size_t DescriptorAt = Padded(NameAt + Header.n_namesz);
    size_t End = DescriptorAt + Header.n_descsz;
    if (Header.n_namesz > Left || Header.n_descsz > Left || End > Left)
      return;
    if (Header.n_type == 1 && Header.n_namesz == sizeof "autoprof" &&
        memcmp(Cur + NameAt, "autoprof", sizeof "autoprof") == 0)
      addNote(Module, Cur + DescriptorAt, Header.n_descsz, Notes);
    size_t Whole = Padded(End);
    if (Whole > Left)
      return;
    Cur += Whole;
    Left -= Whole;
  }
}

// A module is new if its hook pointer is null. All units of a module share one
// pointer, so this is decided before the first one is stored. Hooks of another
// runtime stay in place.
static int visitModule(dl_phdr_info *Module, size_t, void *Data) {
  Scan &S = *static_cast<Scan *>(Data);
  std::vector<Note> Notes;
  for (int I = 0; I < Module->dlpi_phnum; ++I)
    if (Module->dlpi_phdr[I].p_type == PT_NOTE)
      readNotes(*Module, Module->dlpi_phdr[I], Notes);
  if (Notes.empty() || __atomic_load_n(Notes[0].Hooks, __ATOMIC_ACQUIRE))
    return 0;
  std::string Tables;
  for (const Note &N : Notes) {
    addSites(N.Rows);
    Tables += N.Rows;
  }
  if (!Tables.empty())
    newTables().push_back(std::move(Tables));
  for (const Note &N : Notes)
    __atomic_store_n(N.Hooks, S.Hooks, __ATOMIC_RELEASE);
  ++S.Found;
  return 0;
}

static int readAdds(dl_phdr_info *Module, size_t, void *Data) {
  *static_cast<unsigned long long *>(Data) = Module->dlpi_adds;
  return 1;
}

unsigned scanModules(const autoprof_hooks &Hooks) {
  ForkLock Lock(ScanMutex);
  if (!Lock)
    return 0;
  unsigned long long Adds = 0;
  dl_iterate_phdr(readAdds, &Adds);
  if (Adds == SeenAdds)
    return 0;
  SeenAdds = Adds;
  Scan S{&Hooks};
  dl_iterate_phdr(visitModule, &S);
  return S.Found;
}

std::vector<std::string> takeNewTables() {
  ForkLock Lock(ScanMutex);
  return Lock ? std::exchange(newTables(), {}) : std::vector<std::string>();
}

void addTable(std::string Rows) {
  if (ForkLock Lock(ScanMutex); Lock)
    newTables().push_back(std::move(Rows));
}

ForkMutex &scanMutex() { return ScanMutex; }

} // namespace autoprof::runtime
