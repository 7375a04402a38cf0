// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An answer is a line of JSON, followed by the bytes of the reading.
#include "source-cli/Answer.h"

#include "compilation/Frontend.h"
#include "config/ParseJson.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;
namespace json = llvm::json;

namespace autoprof::sources {

std::string describe(const source::Loss &Lost) {
  constexpr size_t Named = 3;
  const size_t Count = Lost.Functions.size();
  std::string Text = Lost.First;
  if (Count)
    Text += "; " + std::to_string(Count) +
            (Count == 1 ? " function was" : " functions were") + " left out: ";
  for (size_t I = 0; I < std::min(Count, Named); ++I) {
    const source::Skipped &F = Lost.Functions[I];
    Text += (I ? ", " : "") + F.Function + " (line " +
            std::to_string(F.Location.Line) + ")";
  }
  if (Count > Named)
    Text += " and " + std::to_string(Count - Named) + " more";
  return Text;
}

static Outcome failed(std::string Reason) {
  Outcome O;
  O.Error = std::move(Reason);
  return O;
}

static Outcome readOnce(SourceTask &Task, const Unit &U) {
  if (std::error_code E = llvm::sys::fs::set_current_path(U.Directory))
    return failed("cannot enter its folder '" + U.Directory +
                  "': " + E.message());
  auto Compiler = makeCompiler(U);
  if (!Compiler)
    return failed(llvm::toString(Compiler.takeError()));
  llvm::Expected<Reading> Read = Task.work(U, **Compiler);
  Outcome Result;
  if (!Read) {
    llvm::Error Failure = Read.takeError();
    llvm::visitErrors(Failure, [&Result](const llvm::ErrorInfoBase &E) {
      if (E.isA<source::UnreadText>())
        Result.Missing = static_cast<const source::UnreadText &>(E).Missing;
    });
    Result.Error = llvm::toString(std::move(Failure));
    return Result;
  }
  Result.Class = Read->Lost.Errors ? Outcome::Partly : Outcome::Done;
  Result.Error = Read->Lost.First;
  Result.Missing = Read->Lost.Missing;
  Result.Read = std::move(*Read);
  return Result;
}

Outcome read(SourceTask &Task, const Unit &U) {
  Outcome First = readOnce(Task, U);
  if (First.Class == Outcome::Done || U.Reordered.empty())
    return First;
  Unit Other = U;
  Other.Args = U.Reordered;
  Outcome Second = readOnce(Task, Other);
  Second.Reordered = true;
  const bool IsBetter =
      Second.Class < First.Class ||
      (Second.Class == Outcome::Partly && First.Class == Outcome::Partly &&
       Second.Read.Lost.Errors < First.Read.Lost.Errors);
  return IsBetter ? Second : First;
}

std::string encode(const Outcome &O) {
  json::Array Functions;
  for (const source::Skipped &F : O.Read.Lost.Functions)
    Functions.push_back(json::Object{{"file", json::fixUTF8(F.Location.File)},
                                     {"line", F.Location.Line},
                                     {"column", F.Location.Column},
                                     {"function", json::fixUTF8(F.Function)},
                                     {"reason", json::fixUTF8(F.Reason)}});
  const json::Value Head = json::Object{{"how", static_cast<int>(O.Class)},
                                        {"error", json::fixUTF8(O.Error)},
                                        {"missing", json::fixUTF8(O.Missing)},
                                        {"errors", O.Read.Lost.Errors},
                                        {"reordered", O.Reordered},
                                        {"functions", std::move(Functions)}};
  return llvm::formatv("{0}\n", Head).str() + O.Read.Bytes;
}

static source::Skipped functionOf(const json::Object &Item) {
  auto Text = [&](StringRef Key) {
    return Item.getString(Key).value_or("").str();
  };
  auto Number = [&](StringRef Key) {
    return static_cast<unsigned>(Item.getInteger(Key).value_or(0));
  };
  return {"function",
          {Text("file"), Number("line"), Number("column")},
          Text("function"),
          "",
          Text("reason")};
}

std::optional<Outcome> decode(StringRef Bytes) {
  auto [Line, Rest] = Bytes.split('\n');
  llvm::Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    return std::nullopt;
  }
  const json::Object *Head = Parsed->getAsObject();
  const json::Array *Functions = Head ? Head->getArray("functions") : nullptr;
  if (!Functions)
    return std::nullopt;
  Outcome O;
  O.Class = static_cast<Outcome::Kind>(
      Head->getInteger("how").value_or(Outcome::Failed));
  O.Error = Head->getString("error").value_or("").str();
  O.Missing = Head->getString("missing").value_or("").str();
  O.Reordered = Head->getBoolean("reordered").value_or(false);
  O.Read.Bytes = Rest.str();
  O.Read.Lost.Errors = Head->getInteger("errors").value_or(0);
  O.Read.Lost.First = O.Error;
  O.Read.Lost.Missing = O.Missing;
  for (const json::Value &Item : *Functions)
    if (const json::Object *F = Item.getAsObject())
      O.Read.Lost.Functions.push_back(functionOf(*F));
  return O;
}

} // namespace autoprof::sources
