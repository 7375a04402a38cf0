// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A probe may also cause an error in another line (a jump past the variable of
// a range); such a message names the variable. Warnings from gcc's optimizer do
// not, so if one of these is an error, nothing is certain.
#include "nvcc/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <optional>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace autoprof::sources {

namespace {

using Lines = llvm::SmallVector<StringRef, 0>;

Lines linesOf(StringRef Text) {
  Lines Result;
  Text.split(Result, '\n');
  return Result;
}

/// The files of the list, and their lines that differ.
class RewrittenFiles {
public:
  explicit RewrittenFiles(StringRef List);

  /// Whether this line, which a message names, has a probe. None if the file no
  /// longer exists, as with generated files.
  std::optional<bool> isChanged(StringRef File, unsigned Line) const;

  /// Whether messages may name other places than those of the text.
  bool haveLineDirectives() const { return LineDirectives; }

private:
  llvm::StringMap<std::string> Substitutes; ///< Indexed by "DEVICE INODE".
  bool LineDirectives = false;
};

RewrittenFiles::RewrittenFiles(StringRef List) {
  llvm::Regex Directive("(^|\n)[ \t]*#[ \t]*(line[ \t]|[0-9])");
  for (StringRef Line : linesOf(List)) {
    auto [Id, Path] = Line.rsplit(' ');
    if (Path.empty())
      continue;
    Substitutes[Id] = Path.str();
    auto Text = llvm::MemoryBuffer::getFile(Path);
    LineDirectives |= !Text || Directive.match((*Text)->getBuffer());
  }
}

std::optional<bool> RewrittenFiles::isChanged(StringRef File,
                                              unsigned Line) const {
  fs::file_status Status;
  if (fs::status(File, Status))
    return std::nullopt;
  const fs::UniqueID Id = Status.getUniqueID();
  auto Substitute = Substitutes.find(std::to_string(Id.getDevice()) + " " +
                                     std::to_string(Id.getFile()));
  if (Substitute == Substitutes.end())
    return false;
  auto Original = llvm::MemoryBuffer::getFile(File);
  auto Rewritten = llvm::MemoryBuffer::getFile(Substitute->second);
  if (!Original || !Rewritten)
    return std::nullopt;
  const Lines Before = linesOf((*Original)->getBuffer());
  const Lines After = linesOf((*Rewritten)->getBuffer());
  return Line == 0 || Line > Before.size() || Line > After.size() ||
         Before[Line - 1] != After[Line - 1];
}

/// Whether it is a warning of the host compiler that comes from optimized code:
/// it may be about a line without probes and still be due to one.
bool isOfOptimizer(StringRef Message) {
  static const StringRef Names[] = {
      "aggressive-loop", "array-bounds", "dangling", "disabled-opt",
      "format-overflow", "format-trunc", "frame-",   "free-nonheap",
      "infinite-rec",    "inline",       "larger-",  "maybe-uninit",
      "mismatched-new",  "nonnull",      "null-der", "restrict",
      "return-local",    "stack-",       "strict-",  "stringop",
      "suggest-",        "uninit",       "unsafe-",  "use-after"};
  auto [Text, Name] = Message.rsplit("[-Werror=");
  return llvm::any_of(
      Names, [Name = Name](StringRef N) { return Name.starts_with(N); });
}

enum class Verdict { Nothing, UsersOwn, Doubt };

class Reader {
public:
  explicit Reader(const RewrittenFiles &Files) : Files(Files) {}

  Verdict read(StringRef Line);

private:
  Verdict readError(StringRef File, StringRef Number, StringRef Message) const;

  const RewrittenFiles &Files;
  /// Following lines that begin with a blank belong to it.
  bool InWarning = false;

  // "a.cu(3): error #20-D: ...", "a.cu:3:5: error: ..."
  const llvm::Regex Front{"^([^ ()][^()]*)\\(([0-9]+)\\): *(.*)$"};
  const llvm::Regex Host{"^([^ :][^:]*):([0-9]+)(:[0-9]+)?: *(.*)$"};
  const llvm::Regex Error{"^((catastrophic|fatal) )?error( #[0-9]+(-D)?)?:",
                          llvm::Regex::IgnoreCase};
  const llvm::Regex Device{"^((ptxas|nvlink|fatbinary|cicc) .*(error|fatal) *:"
                           "|nvcc fatal *:"
                           "|nvcc error *: '(cicc|ptxas|nvlink|fatbinary)')"};
  const llvm::Regex Unlocated{"^(collect2|cc1plus|cudafe\\+\\+"
                              "|[^ :()]*(gcc|[gc]\\+\\+|clang)[^ :()]*): "
                              "(fatal )?error: "};
  const llvm::Regex Probe{"autoprof(::|_|/probe\\.h)"
                          "|(^|[^A-Za-z0-9_])AP_(SITE|OBJECT|RANGE|TABLE)"
                          "|internal (compiler )?error"};
};

Verdict Reader::readError(StringRef File, StringRef Number,
                          StringRef Message) const {
  unsigned Line = 0;
  Number.getAsInteger(10, Line);
  const std::optional<bool> Changed = Files.isChanged(File, Line);
  return !Changed || *Changed || isOfOptimizer(Message) ? Verdict::Doubt
                                                        : Verdict::UsersOwn;
}

Verdict Reader::read(StringRef Line) {
  const bool Continues = Line.empty() || Line[0] == ' ';
  llvm::SmallVector<StringRef> Parts;
  const bool IsLocated =
      !Continues && (Front.match(Line, &Parts) || Host.match(Line, &Parts));
  if (!Continues)
    InWarning = IsLocated && (Parts.back().starts_with("warning") ||
                              Parts.back().starts_with("remark"));
  if (InWarning)
    return Verdict::Nothing;
  if (Probe.match(Line))
    return Verdict::Doubt;
  if (IsLocated && Error.match(Parts.back()))
    return readError(Parts[1], Parts[2], Line);
  // The last one is about a signal: the user does not want nvcc to run again.
  return Device.match(Line) || Unlocated.match(Line) ||
                 Line == "Compilation terminated."
             ? Verdict::UsersOwn
             : Verdict::Nothing;
}

} // namespace

bool mayBeFaultOfProbes(StringRef Messages, StringRef List) {
  const RewrittenFiles Files(List);
  if (Files.haveLineDirectives())
    return true;
  Reader Read(Files);
  bool IsUsersOwn = false;
  for (StringRef Line : linesOf(Messages))
    switch (Read.read(Line)) {
    case Verdict::UsersOwn:
      IsUsersOwn = true;
      break;
    case Verdict::Doubt:
      return true;
    case Verdict::Nothing:
      break;
    }
  return !IsUsersOwn;
}

} // namespace autoprof::sources
