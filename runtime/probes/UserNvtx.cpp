// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are strings of char or wchar_t of any length and may be freed after the
// call, so each is copied into the thread's buffer with its call, up to
// MaxNvtxText bytes. Handles (domains, registered strings) are pointers to
// entries that are never freed, because programs keep them until they end.
#include "runtime/probes/UserNvtx.h"

#include "runtime/probes/Probes.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <cwchar>
#include <dlfcn.h>
#include <map>
#include <nvtx3/nvToolsExt.h>
#include <vector>

namespace autoprof::runtime {

namespace {

struct Domain {
  uint32_t Index;
  std::string Name;
};

struct Names {
  std::map<std::string, Domain *> Domains;
  std::vector<const Domain *> ByIndex; // Entry I is domain I + 1.
  std::map<std::string, std::string *> Strings;
};

// The program may read errno after an NVTX call.
struct KeepErrno {
  int Saved = errno;
  ~KeepErrno() { errno = Saved; }
};

// Text to be copied into the buffer: `View` refers to the program's own where
// possible.
struct Text {
  std::string_view View;
  char Buffer[MaxNvtxText];
};

} // namespace

static ForkMutex NamesMutex;

static Names &names() {
  static auto *N = new Names; // Leaked: late destructors may still call NVTX.
  return *N;
}

// Where to cut the text without splitting a UTF-8 character.
static size_t cut(std::string_view Bytes) {
  if (Bytes.size() <= MaxNvtxText)
    return Bytes.size();
  size_t End = MaxNvtxText;
  while (End > 0 && (Bytes[End] & 0xC0) == 0x80)
    --End;
  return End;
}

static void setText(Text &Out, const char *Message) {
  if (Message)
    Out.View = {Message, strnlen(Message, MaxNvtxText + 1)};
  Out.View = Out.View.substr(0, cut(Out.View));
}

static size_t encode(char32_t C, char *Out) {
  if (C < 0x80) {
    Out[0] = static_cast<char>(C);
    return 1;
  }
  if (C > 0x10FFFF || (C >= 0xD800 && C < 0xE000)) {
    Out[0] = '?';
    return 1;
  }
  const size_t Size = C < 0x800 ? 2 : C < 0x10000 ? 3 : 4;
  const unsigned char Lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t I = Size - 1; I > 0; --I, C >>= 6)
    Out[I] = static_cast<char>(0x80 | (C & 0x3F));
  Out[0] = static_cast<char>(Lead[Size] | C);
  return Size;
}

static void setText(Text &Out, const wchar_t *Message) {
  size_t Size = 0;
  for (; Message && *Message && Size + 4 <= MaxNvtxText; ++Message)
    Size += encode(static_cast<char32_t>(*Message), Out.Buffer + Size);
  Out.View = {Out.Buffer, Size};
}

static std::string toString(const wchar_t *Wide) {
  Text T;
  setText(T, Wide);
  return std::string(T.View);
}

static std::string toString(const char *Bytes) {
  Text T;
  setText(T, Bytes);
  return std::string(T.View);
}

static uint32_t indexOf(nvtxDomainHandle_t Handle) {
  return Handle ? reinterpret_cast<const Domain *>(Handle)->Index : 0;
}

//===-- Calls -------------------------------------------------------------===//

// Versions 1 to 3 of the attributes have the same layout.
static void setText(Text &T, const nvtxEventAttributes_t *A) {
  if (!A)
    return;
  switch (A->messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    setText(T, A->message.ascii);
    break;
  case NVTX_MESSAGE_TYPE_UNICODE:
    setText(T, A->message.unicode);
    break;
  case NVTX_MESSAGE_TYPE_REGISTERED:
    if (const auto *S =
            reinterpret_cast<const std::string *>(A->message.registered))
      T.View = *S;
    break;
  default:
    break;
  }
}

// `M`: the event's attributes, or its text.
template <typename Message>
static void record(NvtxKind Kind, nvtxDomainHandle_t Domain, const Message *M,
                   uint32_t RangeId = 0) {
  NvtxEvent E;
  Text T;
  E.Kind = Kind;
  E.Domain = indexOf(Domain);
  E.RangeId = RangeId;
  setText(T, M);
  E.Text = T.View.empty() ? std::string_view("unnamed") : T.View;
  recordNvtx(E);
}

static void recordEnd(NvtxKind Kind, nvtxDomainHandle_t Domain,
                      uint32_t RangeId = 0) {
  NvtxEvent E;
  E.Kind = Kind;
  E.Domain = indexOf(Domain);
  E.RangeId = RangeId;
  recordNvtx(E);
}

// Of four billion ranges, two have the same id. Ids are not 0.
uint32_t newNvtxRangeId() {
  static std::atomic<uint32_t> Last{0};
  const uint32_t Id = Last.fetch_add(1, std::memory_order_relaxed) + 1;
  return Id ? Id : newNvtxRangeId();
}

void recordNvtxStart(const char *Text, uint32_t RangeId) {
  record(NvtxKind::Start, nullptr, Text, RangeId);
}

void recordNvtxEnd(uint32_t RangeId) {
  recordEnd(NvtxKind::End, nullptr, RangeId);
}

// The functions below have NVTX's own signatures. Except for handles and ids,
// they return what NVTX returns without a tool.

template <typename Message>
static void domainMark(nvtxDomainHandle_t Domain, const Message *M) {
  record(NvtxKind::Mark, Domain, M);
}
template <typename Message> static void mark(const Message *M) {
  domainMark(nullptr, M);
}

template <typename Message>
static int domainPush(nvtxDomainHandle_t Domain, const Message *M) {
  record(NvtxKind::Push, Domain, M);
  return NVTX_NO_PUSH_POP_TRACKING;
}
template <typename Message> static int push(const Message *M) {
  return domainPush(nullptr, M);
}
static int domainPop(nvtxDomainHandle_t Domain) {
  recordEnd(NvtxKind::Pop, Domain);
  return NVTX_NO_PUSH_POP_TRACKING;
}
static int pop() { return domainPop(nullptr); }

template <typename Message>
static nvtxRangeId_t domainStart(nvtxDomainHandle_t Domain, const Message *M) {
  const uint32_t Id = newNvtxRangeId();
  record(NvtxKind::Start, Domain, M, Id);
  return Id;
}
template <typename Message> static nvtxRangeId_t start(const Message *M) {
  return domainStart(nullptr, M);
}
static void domainEnd(nvtxDomainHandle_t Domain, nvtxRangeId_t Id) {
  recordEnd(NvtxKind::End, Domain, static_cast<uint32_t>(Id));
}
static void end(nvtxRangeId_t Id) { domainEnd(nullptr, Id); }

//===-- Names -------------------------------------------------------------===//

template <typename Character>
static nvtxDomainHandle_t createDomain(const Character *Name) {
  KeepErrno Keep;
  std::string Text = toString(Name);
  ForkLock Lock(NamesMutex);
  if (!Lock) // Return a handle anyway: programs may check it.
    return reinterpret_cast<nvtxDomainHandle_t>(new Domain{0, ""});
  Names &N = names();
  Domain *&D = N.Domains[Text];
  if (!D) {
    D = new Domain{static_cast<uint32_t>(N.ByIndex.size() + 1), Text};
    N.ByIndex.push_back(D);
  }
  return reinterpret_cast<nvtxDomainHandle_t>(D);
}

template <typename Character>
static nvtxStringHandle_t registerString(nvtxDomainHandle_t,
                                         const Character *String) {
  KeepErrno Keep;
  std::string Text = toString(String);
  ForkLock Lock(NamesMutex);
  if (!Lock)
    return reinterpret_cast<nvtxStringHandle_t>(new std::string(Text));
  Names &N = names();
  std::string *&S = N.Strings[Text];
  if (!S)
    S = new std::string(Text);
  return reinterpret_cast<nvtxStringHandle_t>(S);
}

std::string nvtxDomainName(uint32_t Domain) {
  ForkLock Lock(NamesMutex);
  if (!Lock)
    return "";
  const Names &N = names();
  return Domain && Domain <= N.ByIndex.size() ? N.ByIndex[Domain - 1]->Name
                                              : "";
}

ForkMutex &nvtxNamesMutex() { return NamesMutex; }

//===-- Attaching ---------------------------------------------------------===//

namespace {

struct Entry {
  unsigned Id;
  NvtxFunctionPointer Function;
};

template <typename Function> Entry entry(unsigned Id, Function *F) {
  return {Id, reinterpret_cast<NvtxFunctionPointer>(F)};
}

} // namespace

static const Entry CoreEntries[] = {
    entry(NVTX_CBID_CORE_MarkEx, mark<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE_MarkA, mark<char>),
    entry(NVTX_CBID_CORE_MarkW, mark<wchar_t>),
    entry(NVTX_CBID_CORE_RangeStartEx, start<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE_RangeStartA, start<char>),
    entry(NVTX_CBID_CORE_RangeStartW, start<wchar_t>),
    entry(NVTX_CBID_CORE_RangeEnd, end),
    entry(NVTX_CBID_CORE_RangePushEx, push<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE_RangePushA, push<char>),
    entry(NVTX_CBID_CORE_RangePushW, push<wchar_t>),
    entry(NVTX_CBID_CORE_RangePop, pop)};

static const Entry DomainEntries[] = {
    entry(NVTX_CBID_CORE2_DomainMarkEx, domainMark<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE2_DomainRangeStartEx,
          domainStart<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE2_DomainRangeEnd, domainEnd),
    entry(NVTX_CBID_CORE2_DomainRangePushEx, domainPush<nvtxEventAttributes_t>),
    entry(NVTX_CBID_CORE2_DomainRangePop, domainPop),
    entry(NVTX_CBID_CORE2_DomainRegisterStringA, registerString<char>),
    entry(NVTX_CBID_CORE2_DomainRegisterStringW, registerString<wchar_t>),
    entry(NVTX_CBID_CORE2_DomainCreateA, createDomain<char>),
    entry(NVTX_CBID_CORE2_DomainCreateW, createDomain<wchar_t>)};

template <size_t Count>
static bool fill(const NvtxExportTableCallbacks &Callbacks,
                 NvtxCallbackModule Module, const Entry (&Entries)[Count]) {
  NvtxFunctionTable Table = nullptr;
  unsigned Size = 0;
  if (!Callbacks.GetModuleFunctionTable(Module, &Table, &Size) || !Table)
    return false;
  for (const Entry &E : Entries)
    if (E.Id < Size && Table[E.Id])
      *Table[E.Id] = E.Function;
  return true;
}

static bool isOurs(const void *Address) {
  Dl_info Theirs, Ours;
  return dladdr(Address, &Theirs) &&
         dladdr(reinterpret_cast<const void *>(&isOurs), &Ours) &&
         Theirs.dli_fbase == Ours.dli_fbase;
}

bool listenToNvtx(const void *(*GetExportTable)(uint32_t)) {
  KeepErrno Keep;
  if (!GetExportTable || isOurs(reinterpret_cast<const void *>(GetExportTable)))
    return false;
  const auto *Callbacks = static_cast<const NvtxExportTableCallbacks *>(
      GetExportTable(NVTX_ETID_CALLBACKS));
  if (!Callbacks || Callbacks->struct_size < sizeof *Callbacks)
    return false;
  const bool Core = fill(*Callbacks, NVTX_CB_MODULE_CORE, CoreEntries);
  return fill(*Callbacks, NVTX_CB_MODULE_CORE2, DomainEntries) || Core;
}

} // namespace autoprof::runtime
