// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/TextTables.h"

#include "export/OutputFile.h"

#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::exports;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// Text is always quoted, so that an unknown value (nothing between two commas)
/// differs from an empty text, and numbers from text.
struct CsvCell {
  llvm::raw_ostream &Out;
  void operator()(std::monostate) const {}
  void operator()(int64_t N) const { Out << N; }
  void operator()(double N) const { Out << fmt::format("{}", N); }
  void operator()(bool B) const { Out << (B ? "true" : "false"); }
  void operator()(StringRef S) const {
    std::string Valid = json::fixUTF8(S);
    Out << '"';
    for (char C : Valid)
      Out << (C == '"' ? "\"\"" : StringRef(&C, 1));
    Out << '"';
  }
};

struct JsonCell {
  json::OStream &Out;
  void operator()(std::monostate) const { Out.value(nullptr); }
  void operator()(int64_t N) const { Out.value(N); }
  void operator()(double N) const { Out.value(N); }
  void operator()(bool B) const { Out.value(B); }
  void operator()(StringRef S) const { Out.value(json::fixUTF8(S)); }
};

void writeCsv(llvm::raw_ostream &Out, const Table &T,
              const Recording &Subject) {
  for (const Column &C : T.Columns)
    Out << (&C == T.Columns.begin() ? "" : ",") << C.Name;
  Out << '\n';
  T.Fill(Subject, [&](llvm::ArrayRef<Cell> Cells) {
    for (const Cell &C : Cells) {
      if (&C != Cells.begin())
        Out << ',';
      std::visit(CsvCell{Out}, C);
    }
    Out << '\n';
  });
}

void writeJsonLines(llvm::raw_ostream &Out, const Table &T,
                    const Recording &Subject) {
  T.Fill(Subject, [&](llvm::ArrayRef<Cell> Cells) {
    json::OStream J(Out);
    J.object([&] {
      for (auto [Column, Value] : llvm::zip_equal(T.Columns, Cells)) {
        J.attributeBegin(Column.Name);
        std::visit(JsonCell{J}, Value);
        J.attributeEnd();
      }
    });
    Out << '\n';
  });
}

} // namespace

void exports::writeTable(llvm::raw_ostream &Out, const Table &T,
                         const Recording &Subject, TextFormat Format) {
  Format == TextFormat::Csv ? writeCsv(Out, T, Subject)
                            : writeJsonLines(Out, T, Subject);
}

llvm::Error exports::writeTables(StringRef Directory, const Recording &Subject,
                                 TextFormat Format, unsigned Part,
                                 const Tick &Progress) {
  // As Hive writes a partition whose column is null.
  std::string Rank = Subject.T.Info.Rank ? std::to_string(*Subject.T.Info.Rank)
                                         : "__HIVE_DEFAULT_PARTITION__";
  for (const auto &[I, T] : llvm::enumerate(tables())) {
    std::string Folder =
        fmt::format("{}/table={}/rank={}", Directory.str(), T.Name, Rank);
    if (std::error_code E = llvm::sys::fs::create_directories(Folder))
      return llvm::createStringError("cannot create the folder '" + Folder +
                                     "': " + E.message());
    llvm::Expected<OutputFile> File = OutputFile::create(
        fmt::format("{}/part-{}.{}", Folder, Part,
                    Format == TextFormat::Csv ? "csv" : "jsonl"));
    if (!File)
      return File.takeError();
    Progress(I, tables().size());
    writeTable(File->stream(), T, Subject, Format);
    if (llvm::Error E = File->commit())
      return E;
  }
  return llvm::Error::success();
}
