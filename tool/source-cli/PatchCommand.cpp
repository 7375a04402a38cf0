// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the patch of `autoprof try --patch`, from try.json and the sources.
// Not intended for users.
#include "audit/Pricing.h"
#include "commands/Commands.h"
#include "config/ParseJson.h"
#include "patch/Removal.h"
#include "prices/Patch.h"
#include "source-cli/Inputs.h"
#include "source-cli/Judge.h"
#include "source-cli/ReadModels.h"
#include "source-cli/SourceFiles.h"
#include "source-cli/SubCommands.h"
#include "source/SeparateParse.h"
#include "source/ast/Functions.h"
#include "support/Archive.h"
#include "tree/Mirror.h"

#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <functional>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::sources;
using llvm::StringRef;
using patch::LineEdit;
using prices::Patch;
using prices::TriedChange;
namespace json = llvm::json;

namespace {

/// A change that is proposed, and what becomes of it.
struct Proposal {
  Patch::Entry Entry;
  unsigned Offset = 0; ///< Of the call, or main(), in its file.
  bool IsMade = false;
  LineEdit Edit;
  std::string Reason = "its file is not a source of the build but a header";

  void refuse(std::string Why) {
    Reason = std::move(Why);
    IsMade = false;
    Edit = {};
  }
};
template <typename V> void visit(V &Do, Proposal &P) {
  Do(P.IsMade, P.Edit, P.Reason);
}

/// Those of a source, in its order.
struct Source {
  std::vector<Proposal> All;
  std::string Text;
};
template <typename V> void visit(V &Do, Source &S) { Do(S.Text, S.All); }

/// Shows the tree of the host side.
class Reader : public clang::ASTFrontendAction {
public:
  std::function<void(clang::ASTContext &)> Look = [](clang::ASTContext &) {};

private:
  struct Consumer : clang::ASTConsumer {
    Reader &Of;
    const clang::SourceManager &SM;
    Consumer(Reader &Of, const clang::SourceManager &SM) : Of(Of), SM(SM) {}
    bool shouldSkipFunctionBody(clang::Decl *D) override {
      return source::isSkippable(D, SM);
    }
    void HandleTranslationUnit(clang::ASTContext &Context) override {
      Of.Look(Context);
    }
  };
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    return std::make_unique<Consumer>(*this, CI.getSourceManager());
  }
};

/// Makes the edits, and has clang read the result.
class MakeEdits : public SourceTask {
public:
  std::map<std::string, Source> Sources; ///< By path.

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override {
    Source S = Sources[U.File];
    Reader Before, After;
    Before.Look = [&](clang::ASTContext &Context) { edit(S, Context); };
    const source::ErrorLog Log =
        source::parseSilently(CI, Before, [](clang::CompilerInvocation &) {});
    std::multiset<unsigned> Known; // Lines differ afterwards.
    for (const source::ErrorLog::Error &E : Log.All)
      Known.insert(E.Id);
    const source::ErrorLog Now =
        source::parseSilently(CI, After, [&](clang::CompilerInvocation &Inv) {
          Inv.getPreprocessorOpts().addRemappedFile(
              CI.getFrontendOpts().Inputs[0].getFile(),
              llvm::MemoryBuffer::getMemBufferCopy(
                  patch::edited(S.Text, editsOf(S)))
                  .release());
        });
    for (const source::ErrorLog::Error &E : Now.All)
      if (const auto Same = Known.find(E.Id); Same != Known.end())
        Known.erase(Same);
      else
        for (Proposal &P : S.All)
          if (P.IsMade)
            P.refuse("clang does not accept the changed source: " + E.Text);
    Reading Result;
    Result.Lost.Errors = Log.All.size(); // Other arguments may be better.
    support::ArchiveWriter Out;
    Out(S);
    Result.Bytes = std::move(Out.Bytes);
    return Result;
  }

  void collect(const Unit &U, Outcome O) override {
    // Several commands may compile it, and must agree.
    Source &Known = Sources[U.File], S = Known;
    support::ArchiveReader In(O.Read.Bytes);
    if (O.isRead())
      In(S);
    for (size_t I = 0; I < S.All.size(); ++I)
      if (!O.isRead())
        S.All[I].refuse(O.Error);
      else if (!Known.Text.empty() && !(Known.All[I].Edit == S.All[I].Edit))
        S.All[I].refuse("several commands compile its file, and differ");
    Known = std::move(S);
  }

  static std::vector<LineEdit> editsOf(const Source &S) {
    std::vector<LineEdit> Result;
    for (const Proposal &P : S.All)
      if (P.IsMade)
        Result.push_back(P.Edit);
    return Result;
  }

private:
  static void edit(Source &S, clang::ASTContext &Context) {
    const clang::SourceManager &SM = Context.getSourceManager();
    S.Text = SM.getBufferData(SM.getMainFileID()).str();
    const patch::Calls Calls = patch::callsIn(Context);
    size_t Free = 0; // The first line that no edit touches.
    for (Proposal &P : S.All) {
      llvm::Expected<LineEdit> E =
          P.Entry.Change.isPool() ? patch::keepPool(Context)
                                  : patch::removeCall(Context, Calls, P.Offset);
      P.refuse(!E ? llvm::toString(E.takeError())
                  : "another change is on the same line");
      P.IsMade = bool(E) && E->First >= Free;
      if (!P.IsMade)
        continue;
      P.Edit = std::move(*E);
      Free = P.Edit.end();
    }
  }
};

/// By which the pool keeps its memory, on one line.
std::string thresholdLine() {
  std::string Result;
  for (StringRef Line : llvm::split(patch::ThresholdLines, '\n'))
    Result += " " + Line.split("//").first.trim().str();
  return StringRef(Result).trim().str();
}

/// Decides which changes get into the patch.
class Patcher {
  const audit::Project &P;
  const report::Audit &A;
  const std::vector<audit::Need> Needs;
  const std::vector<prices::Place> Places;
  const prices::PlaceIndex Index;
  MakeEdits Task;

public:
  Patch Made;

  Patcher(const audit::Project &P, const report::Audit &A)
      : P(P), A(A), Needs(audit::needs(P)), Places(audit::placesOf(P)),
        Index(Places) {}

  const std::string &root() const { return P.units().front().Root; }

  void propose(const TriedChange &C) {
    std::string Reason = C.whyNot();
    if (Reason.empty())
      Reason = C.isPool() ? proposePool(C) : proposeRemoval(C);
    if (!Reason.empty())
      Made.Declined.push_back({C, std::move(Reason)});
  }

  /// The patch, without its header; "": nothing is left.
  std::string finish(const Inputs &Input) {
    std::vector<Unit> Units;
    for (Unit U : Input.Units) {
      llvm::SmallString<256> Path; // As the audit has it.
      if (!llvm::sys::fs::real_path(U.File, Path))
        U.File = Path.str().str();
      if (Task.Sources.count(U.File) && !U.IsC)
        Units.push_back(std::move(U));
    }
    for (auto &[File, S] : Task.Sources)
      llvm::stable_sort(S.All, [](const Proposal &A, const Proposal &B) {
        return A.Offset < B.Offset;
      });
    sources::run(Task, Units, Input.Run);
    std::string Diffs;
    for (auto &[File, S] : Task.Sources) {
      for (Proposal &One : S.All)
        if (One.IsMade)
          Made.Changes.push_back(std::move(One.Entry));
        else
          Made.Declined.push_back({One.Entry.Change, std::move(One.Reason)});
      if (const auto Edits = MakeEdits::editsOf(S); !Edits.empty())
        Diffs += patch::unifiedDiff(StringRef(File).drop_front(root().size()),
                                    S.Text, Edits);
    }
    return Diffs;
  }

private:
  std::string open(const TriedChange &C, const audit::Place &At,
                   std::string Why) {
    if (!StringRef(At.File).starts_with(root()))
      return "its file is outside of " + root();
    Proposal New;
    New.Entry = {C, std::move(Why)};
    New.Offset = At.Offset;
    Task.Sources[At.File].All.push_back(std::move(New));
    return "";
  }
  std::string proposeRemoval(const TriedChange &C);
  std::string proposePool(const TriedChange &C);
  const audit::Finding *findingAt(const audit::Place &At,
                                  StringRef Rule = "") const;
};

const audit::Finding *Patcher::findingAt(const audit::Place &At,
                                         StringRef Rule) const {
  const auto Fits = [&](const audit::Finding &F) {
    return F.Location.File == At.File && F.Location.Offset == At.Offset &&
           (Rule.empty() || F.Rule == Rule);
  };
  for (const audit::Finding &F : A.Findings) {
    if (Fits(F))
      return &F;
    if (const auto Other = llvm::find_if(F.Elsewhere, Fits);
        Other != F.Elsewhere.end())
      return &*Other;
  }
  return nullptr;
}

std::string Patcher::proposeRemoval(const TriedChange &C) {
  const std::optional<prices::Match> Found = Index.find(C.At);
  if (!Found)
    return "the sources have no such call at that place, or several";
  const audit::Place &At = P.sites()[Found->Index].Model->Location;
  if (C.At.Line && C.At.Line != At.Line)
    return "the call is at line " + std::to_string(At.Line) +
           " now: the source has changed since the program was compiled";
  const audit::Finding *Repeated = findingAt(At, "autoprof-sync-repeated");
  if (!Repeated) {
    const audit::Finding *Other = findingAt(At);
    return Other ? "the audit does not show that nothing needs it: " +
                       (Other->Replacement.empty() ? Other->Message
                                                   : Other->Replacement)
                 : "the audit has no finding there";
  }
  // A macro and the instantiations of a template have several at one place.
  for (size_t I = 0; I < P.sites().size(); ++I)
    if (const audit::Place &Same = P.sites()[I].Model->Location;
        Same.File == At.File && Same.Offset == At.Offset &&
        Needs[I] != audit::Need::None)
      return Needs[I] == audit::Need::Unknown
                 ? "the audit does not follow every way to the call"
                 : "on some way to the call, the host or another stream may "
                   "need it";
  return open(C, At, Repeated->Message);
}

std::string Patcher::proposePool(const TriedChange &C) {
  const std::string ByHand =
      "; to add by hand where the device is chosen: " + thresholdLine();
  for (const audit::LinkedSite &S : P.sites())
    if (S.cudaRow().contains("SetDevice") || S.cudaRow().starts_with("cuCtx"))
      return "the program chooses its device at " +
             P.shownPath(S.Model->Location) + ":" +
             std::to_string(S.Model->Location.Line) + ByHand;
  const audit::Place *Main = nullptr;
  for (const audit::LinkedFunction &F : P.functions()) {
    if (F.Model->Name != "main")
      continue;
    if (Main)
      return "several sources have main()" + ByHand;
    Main = &F.Model->Location;
  }
  if (!Main)
    return "no source has main()" + ByHand;
  return open(C, *Main,
              "it keeps what is freed, which takes memory of the GPU and "
              "changes no result");
}

std::string headerOf(const Patch &Made, StringRef Root) {
  const StringRef Name = llvm::sys::path::filename(Made.Path);
  std::string Text = llvm::formatv("# Written by autoprof try, for {0}: git "
                                   "apply {1}, or patch -p1 < {1}\n",
                                   Root.rtrim('/'), Name);
  for (const auto &[C, Why] : Made.Changes)
    Text += llvm::formatv(
        "#\n# {0}: saves {1:F2} to {2:F2} us per step alone (95 % "
        "interval); the output is {3}\n# Safe, because {4}\n",
        C.name(), C.SavedLow.value_or(0) / 1e3, C.SavedHigh.value_or(0) / 1e3,
        C.Output, Why);
  return Text;
}

llvm::Error writeText(StringRef Path, StringRef Text) {
  llvm::SmallString<256> Whole(Path);
  llvm::sys::fs::make_absolute(Whole);
  return tree::writeFile(Whole, Text);
}

void print(const Patch &Made) {
  if (Made.Path.empty())
    llvm::errs() << "autoprof: no patch was written: no change gains time, "
                    "leaves the output equal, and is safe as far as the audit "
                    "sees\n";
  else
    llvm::errs() << "autoprof: wrote " << Made.Path << ", which has "
                 << Made.Changes.size()
                 << (Made.Changes.size() == 1 ? " change\n" : " changes\n");
  for (const auto &[C, Why] : Made.Declined)
    llvm::errs() << "autoprof: not in the patch: " << C.name() << ": " << Why
                 << '\n';
}

llvm::Expected<json::Value> readTried(const std::string &Path) {
  llvm::Expected<json::Value> Read = parseJsonFile(Path);
  const json::Object *O = Read ? Read->getAsObject() : nullptr;
  if (O && O->getString("schema") == "autoprof-try/1" &&
      O->getArray("experiments"))
    return Read;
  return llvm::createStringError(
      "cannot use '" + Path + "': " +
      (Read ? "it is not the try.json that 'autoprof try' writes"
            : llvm::toString(Read.takeError())));
}

/// Writes the patch, and into try.json what it has.
llvm::Error makePatch(const Inputs &Input, const std::string &TriedPath) {
  llvm::Expected<json::Value> Tried = readTried(TriedPath);
  llvm::Expected<audit::Selection> S = audit::Selection::create({});
  llvm::Expected<Ratchet> Known = Ratchet::create(Input.Options);
  if (llvm::Error E =
          llvm::joinErrors(Tried.takeError(),
                           llvm::joinErrors(S.takeError(), Known.takeError())))
    return E;
  const std::string Database =
      Input.CommandsFrom.empty()
          ? ""
          : projectOf(Input.CommandsFrom.front(), Input.Units.front().File);
  ReadModels Models(audit::Cache(audit::Cache::defaultFolder()), Database);
  if (!sources::run(Models, Input.Units, Input.Run).read())
    return llvm::createStringError(
        "no source could be read; 'autoprof sources -p " +
        Input.Options.get("build", ".") + "' shows why");
  const audit::Project P(std::move(Models.Units));
  llvm::Expected<report::Audit> A =
      judge(P, *S, *Known, Database, std::move(Models.Files));
  if (!A)
    return A.takeError();
  Patcher Work(P, *A);
  for (const json::Value &E : *Tried->getAsObject()->getArray("experiments"))
    if (const json::Object *One = E.getAsObject())
      Work.propose(TriedChange(*One));
  const std::string Diffs = Work.finish(Input);
  Patch &Made = Work.Made;
  if (!Diffs.empty()) {
    Made.Path = Input.Options.get("into");
    if (llvm::Error E =
            writeText(Made.Path, headerOf(Made, Work.root()) + Diffs))
      return E;
  }
  print(Made);
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  fields::writeFields(Out, [&](fields::Fields &F) { Made.listFields(F); });
  (*Tried->getAsObject())["patch"] = llvm::cantFail(json::parse(Text));
  return writeText(TriedPath, llvm::formatv("{0:1}\n", *Tried).str());
}

const support::Option Options[] = {
    {"build", 'p', "PATH", "as of the audit"},
    {"try", 0, "FILE", "try.json; default: only see whether there are sources"},
    {"into", 0, "FILE", "the patch"}};
const support::Manual PatchManual = {
    "patch",
    "for autoprof try",
    "autoprof-source patch -p BUILD --try=FILE --into=FILE",
    "A part of autoprof try.",
    Options,
    nullptr,
    nullptr};

int runPatch(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Inputs> Input = readInputs(Args, PatchManual);
  if (!Input)
    return support::fail("--patch needs the sources: " +
                         llvm::toString(Input.takeError()));
  if (Input->Options.has("try"))
    if (llvm::Error E = makePatch(*Input, Input->Options.get("try")))
      return support::fail(std::move(E));
  return support::Fine;
}

} // namespace

const support::Command sources::PatchCommand = {PatchManual, runPatch};
