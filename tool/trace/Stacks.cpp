// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Stacks.h"

#include "trace/timeline/Places.h"
#include "trace/timeline/PythonCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// Libraries whose frames are not the user's, by the start of their file name.
constexpr StringRef Libraries[] = {
    "libautoprof", "libcuda",   "libcupti",  "libcu",     "libnv",
    "libnccl",     "libnpp",    "libc.so",   "libc-",     "libm.so",
    "libpthread",  "libdl.so",  "libgcc_s",  "libstdc++", "libc++",
    "ld-linux",    "libtorch",  "libc10",    "libpython", "_ctypes.",
    "libffi",      "libtriton", "libcaffe2", "python3"};

bool isLibrary(StringRef Path) {
  StringRef Name = llvm::sys::path::filename(Path);
  return llvm::any_of(Libraries,
                      [Name](StringRef L) { return Name.starts_with(L); });
}

/// A header of the toolkit or the system: templates of thrust are compiled into
/// the user's program.
bool isSystemSource(StringRef File) {
  return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") ||
         File.contains("/include/c++/") || File.contains("/thrust/") ||
         File.contains("/cub/") || File.contains("/cuda/std/") ||
         File.contains("/include/crt/") ||
         File.contains("cuda_runtime_api.h") || File.contains("cuda_runtime.h");
}

/// What nvcc generates for the launch of a kernel.
bool isLaunchStub(const Frame &F) {
  return StringRef(F.File).ends_with(".cudafe1.stub.c");
}

/// Whether it is the kernel's function on the host: it has the kernel's name
/// and line, calls the stub, and is not the user's either.
bool isOfKernel(StringRef Function, StringRef Stub) {
  const std::string Name = plainName(Function).str();
  return Stub.contains(std::to_string(Name.size()) + Name) || // Mangled.
         Stub.contains("_stub_" + Name) || Stub.contains("_stub__" + Name);
}

/// CUDA's runtime, linked statically: it has no lines, and its functions are
/// the API's own.
bool isCudaFunction(StringRef Name) {
  auto HasPrefix = [Name](StringRef Prefix) {
    return Name.size() > Prefix.size() && Name.starts_with(Prefix) &&
           llvm::isUpper(Name[Prefix.size()]);
  };
  return Name.starts_with("__cuda") || Name.starts_with("cudart::") ||
         Name.starts_with("libcudart_static_") || HasPrefix("cuda") ||
         HasPrefix("cu");
}

/// "/path/module+0x12f": false for a frame of Python.
bool parseAddress(StringRef Line, StringRef &Module, uint64_t &Offset) {
  size_t Plus = Line.rfind("+0x");
  if (Plus == StringRef::npos)
    return false;
  Module = Line.take_front(Plus);
  return !Line.drop_front(Plus + 3).getAsInteger(16, Offset);
}

/// Takes ":88" from the end.
bool consumeNumber(StringRef &Text, char Before, uint32_t &Number) {
  const size_t At = Text.rfind(Before);
  if (At == StringRef::npos || Text.drop_front(At + 1).getAsInteger(10, Number))
    return false;
  Text = Text.take_front(At);
  return true;
}

/// Takes ":12-23", or ":12-89:3" of an expression that ends on another line,
/// from the end. False: it has neither, and nothing is changed.
bool consumeColumns(StringRef &Place, Frame &F) {
  StringRef Rest = Place;
  uint32_t Column = 0, EndLine = 0, EndColumn = 0;
  if (!consumeNumber(Rest, '-', EndColumn)) {
    if (!consumeNumber(Rest, ':', EndColumn) ||
        !consumeNumber(Rest, '-', EndLine))
      return false;
  }
  if (!consumeNumber(Rest, ':', Column) || !Column || !EndColumn)
    return false;
  Place = Rest;
  F.Column = Column;
  F.EndLine = EndLine;
  F.EndColumn = EndColumn;
  return true;
}

/// What a stack says about its call.
struct StackPlace {
  Frame Site;
  std::optional<UserLine> CalledFrom;
  bool IsCompiled = false; ///< Code that torch.compile generated made the call.
};

class Placer {
  const Timeline &T;
  const Resolver &Resolve;
  std::map<std::pair<std::string, uint64_t>, std::vector<Frame>> Resolved;
  std::string
      Stub; ///< Of a launch: the function of the frame further in; or "".

  const Module *module(StringRef Path) const {
    auto It = llvm::find_if(T.Modules,
                            [Path](const Module &M) { return M.Path == Path; });
    return It == T.Modules.end() ? nullptr : &*It;
  }
  const std::vector<Frame> &resolve(StringRef Path, uint64_t Offset) {
    auto [It, IsNew] = Resolved.try_emplace({Path.str(), Offset});
    const Module *M = IsNew ? module(Path) : nullptr;
    if (M)
      It->second = Resolve(*M, Offset);
    return It->second;
  }
  std::vector<Frame> native(StringRef Path, uint64_t Offset);

public:
  Placer(const Timeline &T, const Resolver &Resolve) : T(T), Resolve(Resolve) {}
  StackPlace place(StringRef Frames);
  std::vector<Frame> lines(StringRef Frames, bool &IsNative);
};

/// Those of the functions inlined into each other at an address that are the
/// user's, innermost first; without lines, one.
std::vector<Frame> Placer::native(StringRef Path, uint64_t Offset) {
  if (isLibrary(Path))
    return {};
  const std::vector<Frame> &Frames = resolve(Path, Offset);
  std::vector<Frame> Users;
  for (const Frame &F : Frames) {
    if (isLaunchStub(F))
      Stub = F.Function;
    else if (!F.Line || isSystemSource(F.File))
      continue;
    else if (Stub.empty() || !isOfKernel(F.Function, Stub))
      Users.push_back(F);
    if (!isLaunchStub(F))
      Stub.clear();
  }
  // Otherwise all of it is a system header's, or CUDA's.
  Frame Outer = Frames.empty() ? Frame() : Frames.back();
  if (Users.empty() && !isCudaFunction(Outer.Function) &&
      llvm::none_of(Frames, [](const Frame &F) { return F.Line > 0; })) {
    // Not in the form "file:line", which it is not.
    Outer.File = (llvm::sys::path::filename(Path) + "+0x" +
                  llvm::utohexstr(Offset, /*LowerCase=*/true))
                     .str();
    Users.push_back(std::move(Outer));
  }
  return Users;
}

StackPlace Placer::place(StringRef Frames) {
  StackPlace Result;
  Stub.clear();
  std::optional<Frame> Innermost, Framework;
  llvm::SmallVector<StringRef, 16> Lines;
  Frames.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    StringRef Path;
    uint64_t Offset;
    if (parseAddress(Line, Path, Offset)) {
      if (std::vector<Frame> Users = native(Path, Offset); !Users.empty()) {
        Users.front().Recorded = Line.str();
        Result.Site = Framework.value_or(Users.front());
        return Result;
      }
      continue;
    }
    std::optional<Frame> F = parsePython(Line);
    if (!F)
      continue;
    const CodeOwner Owner = ownerOf(F->File);
    if (Owner == CodeOwner::User) {
      Result.Site = Framework.value_or(*F);
      if (Framework)
        Result.CalledFrom = UserLine{F->File, F->Function, F->Line};
      return Result;
    }
    if (Owner == CodeOwner::Framework && !Framework)
      Framework = F;
    Result.IsCompiled |= !Innermost && isCompiledByTorch(F->File);
    if (!Innermost)
      Innermost = F;
  }
  // Generated files are named by hashes.
  if (Result.IsCompiled)
    Innermost = Frame{Innermost->Function, "torch.compile", 0};
  Result.Site = Framework ? *Framework : Innermost ? *Innermost : Frame();
  return Result;
}

/// What people can read of the stack of a sample, outermost first: lines of
/// Python, or of native code the user's, and functions without lines.
std::vector<Frame> Placer::lines(StringRef Frames, bool &IsNative) {
  std::vector<Frame> Result;
  llvm::SmallVector<StringRef, 32> Lines;
  Frames.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  Stub.clear();
  for (StringRef Line : Lines) {
    StringRef Path;
    uint64_t Offset;
    IsNative = parseAddress(Line, Path, Offset);
    if (!IsNative) {
      if (std::optional<Frame> F = parsePython(Line))
        Result.push_back(std::move(*F));
      continue;
    }
    for (Frame &F : native(Path, Offset)) {
      if (!F.Line) { // All of a function is one place.
        if (F.Function.empty() || F.Function == "_start" ||
            F.Function == "_init")
          continue;
        F.File = llvm::sys::path::filename(Path).str();
      }
      // A lambda in its own line, a recursion: one line to the reader.
      if (!Result.empty() && F.Line && Result.back().Line == F.Line &&
          Result.back().File == F.File)
        Result.pop_back();
      Result.push_back(std::move(F));
    }
  }
  std::reverse(Result.begin(), Result.end());
  return Result;
}

/// By site: the name of the kernel that its calls launch, or of one of them.
std::vector<StringRef> kernelsOf(const Timeline &T) {
  std::vector<StringRef> Result(T.Sites.size());
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Site = T.Host.Site[T.Ops.Launch[Op]];
    const Stage &S = T.Stages[T.Ops.Stage[Op]];
    if (Site != None && S.Kind == OpKind::Kernel)
      Result[Site] = T.Strings[S.Name];
  }
  return Result;
}

} // namespace

std::optional<Frame> autoprof::trace::parsePython(StringRef Line) {
  auto [Place, Function] = Line.rsplit(' ');
  Frame F{Function.str(), "", 0};
  const bool HasColumns = consumeColumns(Place, F);
  if (Function.empty() || !consumeNumber(Place, ':', F.Line) || Place.empty())
    return std::nullopt;
  if (HasColumns && !F.EndLine)
    F.EndLine = F.Line;
  F.File = Place.str();
  F.Recorded = F.File + ":" + std::to_string(F.Line);
  return F;
}

/// A site for each line that is on the stack of a sample.
static void placeSamples(Timeline &T, Placer &P) {
  std::map<std::tuple<std::string, std::string, uint32_t>, uint32_t> Known;
  std::map<uint32_t, uint32_t> PathOf; // By string.
  // Without columns: people read lines.
  auto SiteOf = [&](const Frame &F) {
    auto [It, IsNew] =
        Known.try_emplace({F.File, F.Function, F.Line}, T.Sites.size());
    if (IsNew) {
      Site &S = T.Sites.emplace_back();
      S.Kind = FrameKind.str();
      S.File = F.File;
      S.Function = F.Function;
      S.Line = F.Line;
    }
    return It->second;
  };
  for (ThreadSample &Sample : T.Samples) {
    if (!Sample.Frames)
      continue;
    auto [It, IsNew] = PathOf.try_emplace(Sample.Frames, T.Paths.size());
    if (IsNew) {
      SamplePath &Path = T.Paths.emplace_back();
      const StringRef Frames = T.Strings[Sample.Frames];
      bool IsNative = false;
      for (const Frame &F : P.lines(Frames, IsNative))
        Path.Lines.push_back(SiteOf(F));
      if (!IsNative)
        Path.Place = SiteOf(P.place(Frames).Site);
      else if (!Path.Lines.empty())
        Path.Place = Path.Lines.back();
    }
    Sample.Path = It->second;
  }
}

void autoprof::trace::placeStacks(Timeline &T, const Resolver &Resolve) {
  Placer P(T, Resolve);
  const std::vector<StringRef> Kernels = kernelsOf(T);
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string, std::string,
                      std::string>,
           uint32_t>
      Known;
  std::vector<uint32_t> Becomes(T.Sites.size());
  for (uint32_t I = 0; I < T.Sites.size(); ++I) {
    Site &S = T.Sites[I];
    Becomes[I] = I;
    if (S.Frames.empty())
      continue;
    StackPlace At = P.place(S.Frames);
    S.File = At.Site.File;
    S.Function = At.Site.Function;
    S.Line = At.Site.Line;
    S.Column = At.Site.Column;
    S.EndLine = At.Site.EndLine;
    S.EndColumn = At.Site.EndColumn;
    S.CalledFrom = std::move(At.CalledFrom);
    if (At.IsCompiled)
      S.Expression =
          "torch.compile" + (Kernels[I].empty() ? "" : ": " + Kernels[I].str());
    if (S.File.empty()) {
      Becomes[I] = None; // Nothing of the user's is in it.
      continue;
    }
    Becomes[I] = Known
                     .try_emplace({S.key(), S.EndLine, S.EndColumn, S.Function,
                                   S.Callee, S.Expression},
                                  I)
                     .first->second;
    std::string &Places = T.Sites[Becomes[I]].PlaceFrames;
    if (!llvm::is_contained(llvm::split(Places, '\t'), At.Site.Recorded))
      Places += (Places.empty() ? "" : "\t") + At.Site.Recorded;
  }
  for (uint32_t &Site : T.Host.Site)
    if (Site != None)
      Site = Becomes[Site];
  placeSamples(T, P);
}
