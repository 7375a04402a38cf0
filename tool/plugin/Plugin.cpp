// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The door through which clang calls the rewriter. Before the main action of a
// compilation begins, the files to be compiled are overridden in its source
// manager with their rewritten text; the action, whatever it is, then reads
// that. Only the host side is rewritten: probes are host code, so the device
// side is compiled from the original text, byte for byte.
#include "plugin/Arguments.h"
#include "plugin/Audit.h"
#include "plugin/Output.h"
#include "source/Experiments.h"
#include "source/LiveRewriter.h"
#include "source/Rewriter.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>

using namespace clang;
using llvm::StringRef;

namespace autoprof::plugin {

namespace {

void fail(const CompilerInstance &CI, const llvm::Twine &Message) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "autoprof: %0"))
      << Message.str();
}

/// <folder of this library>/../include/autoprof/<Name>, or "".
std::string header(StringRef Name) {
  static const char Here = 0;
  Dl_info Info;
  llvm::SmallString<256> Path;
  if (!dladdr(&Here, &Info) || llvm::sys::fs::real_path(Info.dli_fname, Path))
    return "";
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, "..", "include", "autoprof", Name);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return llvm::sys::fs::exists(Path) ? Path.str().str() : "";
}

/// The actions that compile or check a translation unit. The others make
/// precompiled headers and modules, whose text is not the program's, or print
/// something.
bool isCompilation(frontend::ActionKind Action) {
  switch (Action) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
  case frontend::ParseSyntaxOnly:
    return true;
  default:
    return false;
  }
}

StringRef mainName(const CompilerInstance &CI) {
  return CI.getFrontendOpts().Inputs[0].getFile();
}

/// Why this input gets no probes, when its user would want to know.
StringRef unsupported(const CompilerInstance &CI) {
  const FrontendInputFile &Input = CI.getFrontendOpts().Inputs[0];
  if (!Input.isFile() || Input.getFile() == "-")
    return "standard input cannot be read twice";
  if (CI.getLangOpts().ObjC || CI.getLangOpts().OpenCL)
    return "probes need C, C++ or CUDA";
  const SourceManager &SM = CI.getSourceManager();
  if (source::isModuleUnit(SM.getBufferData(SM.getMainFileID()),
                           CI.getLangOpts()))
    return "it is a module unit of C++20, which nothing may precede";
  return "";
}

bool isAnnotated(const CompilerInstance &CI) {
  const SourceManager &SM = CI.getSourceManager();
  return source::isAnnotated(SM.getBufferData(SM.getMainFileID()));
}

bool isHostCompilation(const CompilerInstance &CI) {
  const FrontendOptions &Options = CI.getFrontendOpts();
  return isCompilation(Options.ProgramAction) && Options.Inputs.size() == 1 &&
         Options.Inputs[0].getKind().getFormat() == InputKind::Source &&
         !CI.getLangOpts().CUDAIsDevice && !CI.getLangOpts().HIP &&
         !CI.getDiagnosticOpts().VerifyDiagnostics;
}

/// A file without a site in its own text is worth a parse only if it is CUDA
/// and includes headers of the user's.
bool isWorthParsing(CompilerInstance &CI) {
  SourceManager &SM = CI.getSourceManager();
  std::optional<StringRef> Text = SM.getBufferDataOrNone(SM.getMainFileID());
  return Text && (source::mayHoldSites(*Text) ||
                  (CI.getLangOpts().CUDA && Text->contains("include \"")));
}

/// Behind clang's own CUDA headers, before the main file.
void includeCompat(CompilerInstance &CI) {
  const std::string Header = header("nvcc_compat.h");
  if (Header.empty())
    return fail(CI, "include/autoprof/nvcc_compat.h is missing beside the "
                    "plugin's folder; install autoprof again");
  Preprocessor &PP = CI.getPreprocessor();
  PP.setPredefines(PP.getPredefines() + "#include \"" + Header + "\"\n");
}

class IncludeProbeHeader : public ASTConsumer {
  CompilerInstance &CI;
  std::string Header;

public:
  IncludeProbeHeader(CompilerInstance &CI, std::string Header)
      : CI(CI), Header(std::move(Header)) {}

  void Initialize(ASTContext &) override {
    source::includeFirst(CI.getPreprocessor(), Header);
  }
};

/// Makes `File` a dependency (-MD) of what is compiled. The main file must be
/// the first one, so it is named last, before the list is written.
class DependOn : public PPCallbacks {
  CompilerInstance &CI;
  std::string File;

public:
  DependOn(CompilerInstance &CI, std::string File)
      : CI(CI), File(std::move(File)) {}

  void EndOfMainFile() override {
    for (const auto &Collector : CI.getDependencyCollectors())
      Collector->maybeAddDependency(File, /*FromModule=*/false,
                                    /*IsSystem=*/false, /*IsModuleFile=*/false,
                                    /*IsMissing=*/false);
  }
};

class InstrumentAction : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Args) override;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    if (Args.NvccCompat && CI.getLangOpts().CUDA)
      includeCompat(CI);
    if (!source::isParsing() && isHostCompilation(CI) && !ConfigFile.empty())
      CI.getPreprocessor().addPPCallbacks(
          std::make_unique<DependOn>(CI, ConfigFile));
    if (!source::isParsing() && isEnabled(CI)) {
      if (Args.Instrument)
        if (std::unique_ptr<ASTConsumer> Consumer = instrument(CI))
          Consumers.push_back(std::move(Consumer));
      // After the rewriter, whose copies of this process end in it.
      if (!Args.Checks.empty())
        Consumers.push_back(
            makeAudit(CI, Args.Rewrite.Root.value_or(""), Args.Checks));
    }
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

private:
  bool isEnabled(CompilerInstance &CI);
  std::unique_ptr<ASTConsumer> instrument(CompilerInstance &CI);
  std::unique_ptr<ASTConsumer> instrumentPreprocessed(CompilerInstance &CI);

  Arguments Args;
  std::string ConfigFile; ///< Of the project, or "".
};

/// "Ubuntu Clang 22.1.8 (++2026...)": 22.
unsigned hostMajor() {
  const std::string Version = getClangFullCPPVersion();
  unsigned Major = 0;
  StringRef(Version).split("lang ").second.consumeInteger(10, Major);
  return Major;
}

/// The folder of the main file, "" without one.
std::string mainFolder(const CompilerInstance &CI) {
  const FrontendOptions &Options = CI.getFrontendOpts();
  if (Options.Inputs.size() != 1 || !Options.Inputs[0].isFile())
    return "";
  llvm::SmallString<256> Path(mainName(CI));
  llvm::sys::fs::make_absolute(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return llvm::sys::path::parent_path(Path).str();
}

bool InstrumentAction::ParseArgs(const CompilerInstance &CI,
                                 const std::vector<std::string> &Given) {
  if (hostMajor() != LLVM_VERSION_MAJOR) {
    fail(CI, "this plugin works with clang " + llvm::Twine(LLVM_VERSION_MAJOR) +
                 " only");
    return false;
  }
  const std::string Folder = mainFolder(CI);
  ConfigFile = findConfigFile(Folder);
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project) {
    fail(CI, toString(Project.takeError()));
    return false;
  }
  llvm::Expected<Arguments> Parsed = parseArguments(Given, *Project);
  if (!Parsed) {
    fail(CI, toString(Parsed.takeError()));
    return false;
  }
  Args = std::move(*Parsed);
  Args.Rewrite.LeaveAnnotated = true;
  return true;
}

/// Everything that can be decided without a parse.
bool InstrumentAction::isEnabled(CompilerInstance &CI) {
  if (Args.Help && !CI.getLangOpts().CUDAIsDevice)
    llvm::outs() << help();
  std::optional<std::string> Disabled =
      llvm::sys::Process::GetEnv("AUTOPROF_DISABLE");
  if ((Disabled && !Disabled->empty() && *Disabled != "0") ||
      !isHostCompilation(CI) || !isWorthParsing(CI))
    return false;
  StringRef Why = unsupported(CI);
  if (!Why.empty() && Args.List)
    llvm::errs() << mainName(CI) << ": not instrumented: " << Why << '\n';
  return Why.empty();
}

void show(const source::Rewriting &R, CompilerInstance &CI,
          const Arguments &Args) {
  source::printExperiments(R.Experiments, llvm::errs());
  if (Args.List)
    printList(R, llvm::errs());
  if (!Args.EmitFolder.empty())
    if (llvm::Error E = writeFiles(R, Args.EmitFolder, CI.getFileManager()))
      fail(CI, toString(std::move(E)));
}

/// Text that would not compile with probes is compiled without them.
bool mayUse(const source::Rewriting &R, CompilerInstance &CI,
            const Arguments &Args) {
  if (!R.AtRisk && !Args.Rewrite.Verify)
    return true;
  std::string Broken = source::firstError(R, CI, Args.Rewrite);
  if (Broken.empty())
    return true;
  // No diagnostic: -Werror would make an error of it.
  llvm::errs() << mainName(CI)
               << ": autoprof: warning: compiled without probes, because they "
                  "would break it ("
               << Broken << "); please report this with the file\n";
  return false;
}

/// Preprocessed input is one file of which nearly all is other people's, so
/// there is no place in it at which the user's code begins.
std::unique_ptr<ASTConsumer>
InstrumentAction::instrumentPreprocessed(CompilerInstance &CI) {
  source::Rewriting R = source::rewrite(CI, Args.Rewrite);
  show(R, CI, Args);
  if (R.Files.empty() || !mayUse(R, CI, Args))
    return nullptr;
  auto *Diagnostics = source::OriginalDiagnostics::install(CI.getDiagnostics());
  for (source::EditedFile &F : R.Files) {
    CI.getSourceManager().overrideFileContents(
        F.File,
        llvm::MemoryBuffer::getMemBufferCopy(F.rewritten(), F.File.getName()));
    Diagnostics->show(std::move(F));
  }
  // The main file has its place in the source manager, sized for the old text.
  CI.InitializeSourceManager(CI.getFrontendOpts().Inputs[0]);
  return std::make_unique<IncludeProbeHeader>(CI, Args.Rewrite.ProbeHeader);
}

std::unique_ptr<ASTConsumer>
InstrumentAction::instrument(CompilerInstance &CI) {
  if (isAnnotated(CI)) {
    if (Args.List)
      llvm::errs() << mainName(CI)
                   << ": not instrumented: it has the probes of an annotated "
                      "tree (autoprof/annotated.h)\n";
    return nullptr;
  }
  const StringRef Header =
      Args.Rewrite.Postpone.empty() ? "probe.h" : "experiment.h";
  Args.Rewrite.ProbeHeader = header(Header);
  if (Args.Rewrite.ProbeHeader.empty()) {
    fail(CI, "include/autoprof/" + Header +
                 " is missing beside the plugin's folder; install autoprof "
                 "again");
    return nullptr;
  }
  if (CI.getFrontendOpts().Inputs[0].isPreprocessed())
    return instrumentPreprocessed(CI);
  return source::LiveRewriter::create(
      CI, Args.Rewrite,
      {[&CI, Args = Args](const source::Rewriting &R) {
         return mayUse(R, CI, Args);
       },
       [&CI, Args = Args](const source::Rewriting &R) { show(R, CI, Args); }});
}

} // namespace

} // namespace autoprof::plugin

static FrontendPluginRegistry::Add<autoprof::plugin::InstrumentAction>
    Registration("autoprof",
                 "puts probes around kernel launches and CUDA calls");
