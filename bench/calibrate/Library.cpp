// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Library.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <cstdlib>
#include <dlfcn.h>
#include <glob.h>
#include <vector>

using namespace autoprof;
using namespace autoprof::calibrate;
using llvm::StringRef;

namespace {

constexpr const char *Driver[] = {"libcuda.so.1"};
constexpr const char *Runtime[] = {"libcudart.so.13", "libcudart.so.12"};
constexpr const char *Blas[] = {"libcublas.so.13", "libcublas.so.12"};
constexpr const char *Fft[] = {"libcufft.so.12", "libcufft.so.11"};
constexpr const char *Rand[] = {"libcurand.so.10"};
constexpr const char *Solver[] = {"libcusolver.so.12", "libcusolver.so.11"};
constexpr const char *Sparse[] = {"libcusparse.so.12"};
constexpr const char *Dnn[] = {"libcudnn.so.9", "libcudnn.so.8"};
constexpr const char *Nccl[] = {"libnccl.so.2"};

constexpr Library Libraries[] = {{"cuda", "cu", Driver},
                                 {"cudart", "cuda", Runtime},
                                 {"cublas", "cublas", Blas},
                                 {"cufft", "cufft", Fft},
                                 {"curand", "curand", Rand},
                                 {"cusolver", "cusolver", Solver},
                                 {"cusparse", "cusparse", Sparse},
                                 {"cudnn", "cudnn", Dnn},
                                 {"nccl", "nccl", Nccl}};

Symbol *First = nullptr;

struct Opened {
  std::string File, Error;
  void *Handle = nullptr;
};
llvm::StringMap<Opened> &opened() {
  static llvm::StringMap<Opened> Map;
  return Map;
}

std::string &firstFailure() {
  static std::string Text;
  return Text;
}

/// Where toolkits and the packages of pip put libraries; patterns of glob.
std::vector<std::string> folders() {
  std::vector<std::string> Result;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Variable); Value && *Value)
      for (const char *Sub : {"/lib64", "/lib"})
        Result.push_back(std::string(Value) + Sub);
  for (const char *Folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib",
                             "/usr/local/cuda-*/lib64"})
    Result.emplace_back(Folder);
  std::vector<std::string> Pythons = {"/usr/local", "/usr"};
  for (const char *Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *Value = std::getenv(Variable); Value && *Value)
      Pythons.insert(Pythons.begin(), Value);
  for (const std::string &P : Pythons)
    for (const char *Packages : {"site-packages", "dist-packages"})
      Result.push_back(P + "/lib/python3*/" + Packages + "/nvidia/*/lib");
  return Result;
}

std::vector<std::string> filesMatching(const std::string &Pattern) {
  glob_t Found{};
  std::vector<std::string> Result;
  if (glob(Pattern.c_str(), 0, nullptr, &Found) == 0)
    Result.assign(Found.gl_pathv, Found.gl_pathv + Found.gl_pathc);
  globfree(&Found);
  return Result;
}

/// Null, and `Error` has the reason for the first file tried.
void *openFile(const char *File, std::string &Error) {
  if (void *Handle = dlopen(File, RTLD_NOW | RTLD_GLOBAL))
    return Handle;
  const char *Reason = dlerror();
  if (Error.empty())
    Error = Reason ? Reason : std::string("cannot open ") + File;
  for (const std::string &Folder : folders())
    for (const std::string &Path : filesMatching(Folder + "/" + File))
      if (void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_GLOBAL))
        return Handle;
  return nullptr;
}

unsigned majorOf(StringRef File) {
  unsigned Major = 0;
  StringRef(File.substr(File.rfind('.') + 1)).getAsInteger(10, Major);
  return Major;
}

void resolve(const Library &L, void *Handle) {
  for (Symbol *S = First; S; S = const_cast<Symbol *>(S->Next))
    if (libraryOf(S->Name) == &L)
      S->Address = dlsym(Handle, S->Name);
}

/// The function of each library that names a status; that of the driver has
/// another form, and cuFFT, cuRAND and cuSOLVER have none.
struct StatusFunction {
  llvm::StringLiteral Library;
  const char *Name;
};
constexpr StatusFunction StatusFunctions[] = {
    {"cudart", "cudaGetErrorName"},
    {"cublas", "cublasGetStatusName"},
    {"cusparse", "cusparseGetErrorName"},
    {"cudnn", "cudnnGetErrorString"},
    {"nccl", "ncclGetErrorString"}};

/// "cudaErrorInvalidValue" for status 1, if the library can name it.
std::string statusName(const Symbol &S, int Status) {
  const Library *L = libraryOf(S.Name);
  void *Handle = L ? opened()[L->Name].Handle : nullptr;
  const char *Text = nullptr;
  if (Handle && L->Name == "cuda") {
    if (void *Function = dlsym(Handle, "cuGetErrorName"))
      reinterpret_cast<int (*)(int, const char **)>(Function)(Status, &Text);
  }
  for (const StatusFunction &F : StatusFunctions)
    if (Handle && L->Name == F.Library)
      if (void *Function = dlsym(Handle, F.Name))
        Text = reinterpret_cast<const char *(*)(int)>(Function)(Status);
  return Text ? Text : "status " + std::to_string(Status);
}

} // namespace

llvm::ArrayRef<Library> calibrate::libraries() { return Libraries; }

const Library *calibrate::libraryOf(StringRef Function) {
  const Library *Best = nullptr;
  for (const Library &L : Libraries)
    if (Function.starts_with(L.Prefix) &&
        (!Best || L.Prefix.size() > Best->Prefix.size()))
      Best = &L;
  return Best;
}

const Library *calibrate::libraryNamed(StringRef Name) {
  for (const Library &L : Libraries)
    if (L.Name == Name)
      return &L;
  return nullptr;
}

std::string calibrate::open(const Library &L, unsigned NewestMajor) {
  auto [It, New] = opened().try_emplace(L.Name);
  Opened &O = It->second;
  if (!New)
    return O.Error;
  for (const char *File : L.Files) {
    if (NewestMajor && majorOf(File) > NewestMajor)
      continue;
    if (void *Handle = openFile(File, O.Error)) {
      O = {File, "", Handle};
      resolve(L, Handle);
      return "";
    }
  }
  if (O.Error.empty())
    O.Error = "no version of it fits the driver, which is for CUDA " +
              std::to_string(NewestMajor);
  return O.Error;
}

StringRef calibrate::openedAs(const Library &L) {
  auto It = opened().find(L.Name);
  return It == opened().end() ? StringRef() : StringRef(It->second.File);
}

Symbol::Symbol(const char *Name) : Name(Name), Next(First) { First = this; }
const Symbol *calibrate::symbols() { return First; }

StringRef calibrate::failure() { return firstFailure(); }
void calibrate::clearFailure() { firstFailure().clear(); }
void calibrate::fail(std::string Reason) {
  if (firstFailure().empty())
    firstFailure() = std::move(Reason);
}

bool calibrate::find(const Symbol &S) {
  const Library *L = libraryOf(S.Name);
  if (std::string Reason = open(*L); !Reason.empty())
    fail(L->Name.str() + " is needed: " + Reason);
  else if (!S.Address)
    fail((openedAs(*L) + " has no " + S.Name).str());
  return S.Address;
}

void calibrate::noteStatus(const Symbol &S, int Status) {
  // For runtime and driver: a query's answer, and access between GPUs that
  // already is as requested.
  constexpr int NotReady = 600, AccessEnabled = 704, AccessNotEnabled = 705;
  if (Status == NotReady || Status == AccessEnabled ||
      Status == AccessNotEnabled || !firstFailure().empty())
    return;
  fail(std::string(S.Name) + ": " + statusName(S, Status));
}
