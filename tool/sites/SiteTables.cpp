// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/SiteTables.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"

#include <tuple>

using namespace autoprof;
using namespace autoprof::sites;
using llvm::Error;
using llvm::StringRef;
namespace object = llvm::object;

namespace {

std::string decode(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    uint8_t Byte;
    if (Text[0] == '%' && Text.size() > 2 &&
        llvm::tryGetHexFromNibbles(Text[1], Text[2], Byte)) {
      Result += char(Byte);
      Text = Text.drop_front(3);
    } else {
      Result += Text[0];
      Text = Text.drop_front();
    }
  }
  return Result;
}

/// The fields of a note are padded to four bytes, as the runtime reads them.
constexpr size_t padded(size_t Size) { return (Size + 3) & ~size_t(3); }

/// Each note: sizes of name and descriptor, type, name, descriptor. The
/// descriptor is four bytes and a table.
void readNotes(StringRef Section, std::vector<Row> &Rows) {
  constexpr size_t HeaderSize = 12;
  while (Section.size() >= HeaderSize) {
    const auto Word = [&Section](size_t Index) {
      return size_t(
          llvm::support::endian::read32le(Section.data() + 4 * Index));
    };
    const size_t NameSize = Word(0), Size = Word(1);
    const size_t Start = HeaderSize + padded(NameSize);
    if (NameSize > Section.size() || Start > Section.size() ||
        Size > Section.size() - Start)
      return;
    if (Word(2) == 1 && Size > 4)
      parseTable(Section.substr(Start + 4, Size - 4).split('\0').first, Rows);
    Section =
        Section.drop_front(std::min(Section.size(), Start + padded(Size)));
  }
}

Error readObject(const object::ObjectFile &File, std::vector<Row> &Rows) {
  for (const object::SectionRef &Section : File.sections()) {
    llvm::Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != ".note.autoprof")
      continue;
    llvm::Expected<StringRef> Contents = Section.getContents();
    if (!Contents)
      return Contents.takeError();
    readNotes(*Contents, Rows);
  }
  return Error::success();
}

/// Members that are not objects have no probes.
Error readArchive(const object::Archive &Library, std::vector<Row> &Rows) {
  Error Failure = Error::success();
  for (const object::Archive::Child &Member : Library.children(Failure)) {
    llvm::Expected<std::unique_ptr<object::Binary>> Binary =
        Member.getAsBinary();
    if (!Binary) {
      llvm::consumeError(Binary.takeError());
      continue;
    }
    if (auto *File = llvm::dyn_cast<object::ELFObjectFileBase>(Binary->get()))
      if (Error E = readObject(*File, Rows))
        return llvm::joinErrors(std::move(Failure), std::move(E));
  }
  return Failure;
}

void sortUnique(std::vector<Row> &Rows) {
  llvm::sort(Rows, [](const Row &A, const Row &B) {
    return std::tie(A.File, A.Line, A.Column, A.Id) <
           std::tie(B.File, B.Line, B.Column, B.Id);
  });
  llvm::DenseSet<uint64_t> Seen;
  llvm::erase_if(Rows, [&Seen](const Row &R) {
    // The keys that the set reserves.
    return R.Id < UINT64_MAX - 1 && !Seen.insert(R.Id).second;
  });
}

} // namespace

void sites::parseTable(StringRef Table, std::vector<Row> &Rows) {
  while (!Table.empty()) {
    StringRef Text;
    std::tie(Text, Table) = Table.split(';');
    llvm::SmallVector<StringRef> Fields;
    Text.split(Fields, '|');
    Row R;
    if (Fields.size() != 7 || !Fields[0].consume_front("0x") ||
        Fields[0].getAsInteger(16, R.Id) ||
        Fields[2].getAsInteger(10, R.Line) ||
        Fields[3].getAsInteger(10, R.Column))
      continue;
    R.Kind = Fields[1].str();
    R.File = decode(Fields[4]);
    R.Function = decode(Fields[5]);
    R.Callee = decode(Fields[6]);
    Rows.push_back(std::move(R));
  }
}

/// The rows of all tables, as they are.
static llvm::Expected<std::vector<Row>> readAll(StringRef Path) {
  llvm::Expected<object::OwningBinary<object::Binary>> Binary =
      object::createBinary(Path);
  if (!Binary)
    return Binary.takeError();
  std::vector<Row> Rows;
  if (auto *File =
          llvm::dyn_cast<object::ELFObjectFileBase>(Binary->getBinary())) {
    if (Error E = readObject(*File, Rows))
      return std::move(E);
  } else if (auto *Library =
                 llvm::dyn_cast<object::Archive>(Binary->getBinary())) {
    if (Error E = readArchive(*Library, Rows))
      return std::move(E);
  } else {
    return llvm::createStringError("it is not an ELF file");
  }
  return Rows;
}

llvm::Expected<std::vector<Row>> sites::readSites(StringRef Path) {
  llvm::Expected<std::vector<Row>> Rows = readAll(Path);
  if (!Rows)
    return Rows;
  llvm::erase_if(*Rows, [](const Row &R) { return R.Kind == StepKind; });
  sortUnique(*Rows);
  return Rows;
}

std::string sites::readStep(StringRef Path) {
  llvm::Expected<std::vector<Row>> Rows = readAll(Path);
  if (!Rows) {
    llvm::consumeError(Rows.takeError());
    return "";
  }
  std::string Step;
  for (const Row &R : *Rows) {
    if (R.Kind != StepKind)
      continue;
    if (!Step.empty() && Step != R.Callee)
      return "";
    Step = R.Callee;
  }
  return Step;
}
