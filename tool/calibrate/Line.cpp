// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Line.h"

#include "llvm/Support/JSON.h"

using namespace autoprof;
using namespace autoprof::calibrate;
namespace json = llvm::json;

namespace {

std::string text(json::Object &&O) {
  std::string Result;
  llvm::raw_string_ostream(Result) << json::Value(std::move(O)) << '\n';
  return Result;
}

template <typename T> json::Value orNull(const std::optional<T> &V) {
  return V ? json::Value(*V) : json::Value(nullptr);
}

template <typename T> json::Array array(const T &Values) {
  json::Array Result;
  for (const auto &V : Values)
    Result.push_back(orNull(V));
  return Result;
}

/// Invalid UTF-8 would not be valid JSON.
std::string clean(llvm::StringRef S) { return json::fixUTF8(S); }

std::string string(const json::Object &O, llvm::StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::optional<int64_t> time(const json::Value &V) {
  std::optional<int64_t> I = V.getAsInteger();
  return I && *I >= 0 ? I : std::nullopt;
}

std::optional<int64_t> time(const json::Object &O, llvm::StringRef Key) {
  const json::Value *V = O.get(Key);
  return V ? time(*V) : std::nullopt;
}

llvm::Expected<json::Object> parse(llvm::StringRef Line) {
  llvm::Expected<json::Value> V = json::parse(Line);
  if (V && V->getAsObject())
    return std::move(*V->getAsObject());
  if (!V)
    llvm::consumeError(V.takeError());
  return llvm::createStringError("the measuring process wrote nonsense");
}

} // namespace

std::string calibrate::write(const Hello &H) {
  const catalogue::Semantics &M = H.Machine;
  return text(
      json::Object{{"error", clean(H.Error)},
                   {"gpu", clean(M.Gpu)},
                   {"compute_capability", M.ComputeCapability},
                   {"driver", clean(M.Driver)},
                   {"cuda", M.Cuda},
                   {"gpus", M.Gpus},
                   {"queue_depth", orNull(M.QueueDepth)},
                   {"pageable_memory_access", orNull(M.PageableMemoryAccess)}});
}

llvm::Expected<Hello> calibrate::readHello(llvm::StringRef Line) {
  llvm::Expected<json::Object> O = parse(Line);
  if (!O)
    return O.takeError();
  Hello H;
  H.Error = string(*O, "error");
  H.Machine.Gpu = string(*O, "gpu");
  H.Machine.ComputeCapability = string(*O, "compute_capability");
  H.Machine.Driver = string(*O, "driver");
  H.Machine.Cuda = string(*O, "cuda");
  H.Machine.Gpus = unsigned(O->getInteger("gpus").value_or(0));
  H.Machine.QueueDepth = time(*O, "queue_depth");
  H.Machine.PageableMemoryAccess = O->getBoolean("pageable_memory_access");
  return H;
}

std::string calibrate::write(const Reply &R) {
  return text(json::Object{{"skipped", clean(R.Skipped)},
                           {"last_words", R.LastWords},
                           {"error", clean(R.O.Error)},
                           {"first_ns", orNull(R.O.FirstNs)},
                           {"idle_ns", orNull(R.O.IdleNs)},
                           {"behind_ns", array(R.O.BehindNs)},
                           {"blocked", array(R.O.Blocked)},
                           {"slow", R.O.Slow}});
}

llvm::Expected<Reply> calibrate::readReply(llvm::StringRef Line) {
  llvm::Expected<json::Object> O = parse(Line);
  if (!O)
    return O.takeError();
  Reply R;
  R.Skipped = string(*O, "skipped");
  R.LastWords = O->getBoolean("last_words").value_or(false);
  R.O.Error = string(*O, "error");
  R.O.FirstNs = time(*O, "first_ns");
  R.O.IdleNs = time(*O, "idle_ns");
  R.O.Slow = O->getBoolean("slow").value_or(false);
  if (const json::Array *Times = O->getArray("behind_ns"))
    for (size_t I = 0; I < catalogue::NumBehind && I < Times->size(); ++I)
      R.O.BehindNs[I] = time((*Times)[I]);
  if (const json::Array *Blocked = O->getArray("blocked"))
    for (size_t I = 0; I < catalogue::NumBehind && I < Blocked->size(); ++I)
      R.O.Blocked[I] = (*Blocked)[I].getAsBoolean();
  if (R.Skipped.empty() && R.O.Error.empty() && !R.O.IdleNs)
    return llvm::createStringError("the measuring process wrote nonsense");
  return R;
}
