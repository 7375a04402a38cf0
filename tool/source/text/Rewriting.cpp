// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/Rewriting.h"

#include "source/project/UserFiles.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

const EditedFile *Rewriting::find(FileEntryRef File) const {
  for (const EditedFile &F : Files)
    if (F.File == File)
      return &F;
  return nullptr;
}

void Rewriting::addTable(FileEntryRef Main, StringRef Text,
                         const ProbeText &Probes) {
  std::string Lines =
      Text.ends_with("\n") && !Text.ends_with("\\\n") ? "" : "\n";
  for (const std::string &Rows : tableRows(Sites, Probes.longestTable()))
    Lines += Probes.table(Rows) + "\n";
  auto File =
      llvm::find_if(Files, [&](const EditedFile &F) { return F.File == Main; });
  if (File == Files.end())
    File = Files.insert(Files.end(), {Main, Text.str(), {}});
  Edit Table;
  Table.Offset = Text.size();
  Table.Text = std::move(Lines);
  File->Changes.push_back(std::move(Table));
}

namespace {

// fields() names what is sent of each type, in order, for both directions.

template <typename Stream> void fields(Stream &S, Edit &E) {
  S.number(E.Offset);
  S.number(E.Order);
  S.text(E.Text);
  S.number(E.End);
  S.text(E.Closing);
}

template <typename Stream> void fields(Stream &S, Position &At) {
  S.text(At.File);
  S.number(At.Line);
  S.number(At.Column);
}

template <typename Stream> void fields(Stream &S, Site &Item) {
  S.number(Item.Id);
  S.text(Item.Kind);
  fields(S, Item.At);
  S.text(Item.Function);
  S.text(Item.Callee);
}

template <typename Stream> void fields(Stream &S, Skipped &Item) {
  S.text(Item.Kind);
  fields(S, Item.At);
  S.text(Item.Function);
  S.text(Item.Callee);
  S.text(Item.Reason);
}

/// What is sent of an EditedFile.
struct FileEdits {
  std::string Name, Original;
  std::vector<Edit> Changes;
};

template <typename Stream> void fields(Stream &S, FileEdits &F) {
  S.text(F.Name);
  S.text(F.Original);
  S.list(F.Changes);
}

template <typename Stream>
void fields(Stream &S, Rewriting &R, std::vector<FileEdits> &Files) {
  S.list(Files);
  S.list(R.Sites);
  S.list(R.NotInstrumented);
  S.list(R.Experiments);
  S.text(R.Root);
  S.number(R.AtRisk);
}

class Writer {
public:
  std::string Bytes;

  template <typename T> void number(T Value) {
    auto Wide = static_cast<uint64_t>(Value);
    Bytes.append(reinterpret_cast<const char *>(&Wide), sizeof Wide);
  }
  void text(const std::string &Text) {
    number(Text.size());
    Bytes += Text;
  }
  template <typename T> void list(std::vector<T> &Items) {
    number(Items.size());
    for (T &Item : Items)
      fields(*this, Item);
  }
};

class Reader {
public:
  explicit Reader(StringRef Bytes) : Bytes(Bytes) {}
  StringRef Bytes;
  bool Ok = true;

  template <typename T> void number(T &Value) {
    uint64_t Wide = 0;
    if ((Ok = Ok && Bytes.size() >= sizeof Wide)) {
      std::memcpy(&Wide, Bytes.data(), sizeof Wide);
      Bytes = Bytes.drop_front(sizeof Wide);
    }
    Value = static_cast<T>(Wide);
  }
  void text(std::string &Text) {
    size_t Size;
    number(Size);
    if ((Ok = Ok && Size <= Bytes.size())) {
      Text = Bytes.take_front(Size).str();
      Bytes = Bytes.drop_front(Size);
    }
  }
  template <typename T> void list(std::vector<T> &Items) {
    size_t Size;
    for (number(Size); Ok && Size; --Size)
      fields(*this, Items.emplace_back());
  }
};

} // namespace

std::string serialize(Rewriting R) {
  std::vector<FileEdits> Edits;
  for (EditedFile &F : R.Files)
    Edits.push_back(
        {F.File.getName().str(), std::move(F.Original), std::move(F.Changes)});
  Writer Out;
  fields(Out, R, Edits);
  return std::move(Out.Bytes);
}

std::optional<Rewriting> deserialize(StringRef Bytes, FileManager &Files) {
  Reader In(Bytes);
  Rewriting R;
  std::vector<FileEdits> Edits;
  fields(In, R, Edits);
  for (FileEdits &E : Edits) {
    OptionalFileEntryRef File = Files.getOptionalFileRef(E.Name);
    if (!In.Ok || !File)
      return std::nullopt;
    R.Files.push_back({*File, std::move(E.Original), std::move(E.Changes)});
  }
  if (!In.Ok || !In.Bytes.empty())
    return std::nullopt;
  return R;
}

} // namespace autoprof::source
