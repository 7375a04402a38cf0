// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variants of the JSON that PyTorch's profiler has written over the years,
// one event each, and JSON that nobody should write.
#include "analysis/Analysis.h"
#include "trace/Readers.h"
#include "trace/import/CallPaths.h"
#include "trace/import/Names.h"
#include "trace/json/Numbers.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

/// {"traceEvents": [...]} with ' for ".
std::string file(std::string Events, std::string Beside = "") {
  std::string Text = "{" + Beside + "'traceEvents':[" + Events + "]}";
  std::replace(Text.begin(), Text.end(), '\'', '"');
  return Text;
}

const std::string Launch =
    "{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':10,"
    "'tid':11,'ts':100.000,'dur':5.000,'args':{'correlation':1}},";
const std::string Kernel =
    "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':104.5,"
    "'dur':20.125,'args':{'device':0,'context':1,'stream':7,"
    "'correlation':1,'grid':[1,2,3]}}";

Timeline read(const std::string &Text) {
  llvm::Expected<Timeline> T = readKineto(readerOf(Text));
  EXPECT_TRUE(bool(T)) << (T ? "" : llvm::toString(T.takeError()));
  return T ? std::move(*T) : Timeline();
}

std::string errorOf(const std::string &Text) {
  llvm::Expected<Timeline> T = readKineto(readerOf(Text));
  return T ? "" : llvm::toString(T.takeError());
}

std::string name(const Timeline &T, uint32_t I) {
  return T.Strings[T.Host.Name[I]].str();
}

} // namespace

TEST(JsonEvents, MicrosecondsBecomeExactNanoseconds) {
  EXPECT_EQ(parseMicroseconds("12"), 12'000);
  EXPECT_EQ(parseMicroseconds("12.3"), 12'300);
  EXPECT_EQ(parseMicroseconds("12.345"), 12'345);
  EXPECT_EQ(parseMicroseconds("12.3456"), 12'346);
  EXPECT_EQ(parseMicroseconds("12.3454999"), 12'345);
  EXPECT_EQ(parseMicroseconds("-0.001"), -1);
  EXPECT_EQ(parseMicroseconds("1.5e3"), 1'500'000);
  // More digits than a double has.
  EXPECT_EQ(parseMicroseconds("1712195495505543.217"), 1712195495505543217);
  for (const char *Bad :
       {"", "-", "NaN", "Infinity", "-Infinity", "1e300", "12x", "0x10",
        "99999999999999999999999999", "4000000000000000.1", ".5", "1.2.3"})
    EXPECT_EQ(parseMicroseconds(Bad), std::nullopt) << Bad;
}

TEST(Kineto, JoinsCallsAndOperations) {
  Timeline T = read(file(Launch + Kernel));
  ASSERT_EQ(T.Host.size(), 1u);
  ASSERT_EQ(T.Ops.size(), 1u);
  EXPECT_EQ(T.Host.Start[0], 0); // The first of the file.
  EXPECT_EQ(T.Host.End[0], 5'000);
  EXPECT_EQ(T.Ops.Start[0], 4'500);
  EXPECT_EQ(T.Ops.End[0], 24'625);
  EXPECT_EQ(T.Ops.Launch[0], 0u);
  EXPECT_EQ(T.Threads[0].Tid, 11);
  EXPECT_EQ(T.Info.Pid, 10);
  EXPECT_EQ(T.Queues[0].Stream, 7u);
  EXPECT_EQ(T.Info.Source.Producer, "another profiler (Chrome trace JSON)");
}

TEST(Kineto, ReadsTheListAlone) {
  std::string Text = file(Launch + Kernel);
  Text = Text.substr(Text.find('['));
  Text.pop_back();
  EXPECT_EQ(read(Text).Ops.size(), 1u);
}

TEST(Kineto, ReadsOldSpellingsAndNumbersInStrings) {
  Timeline T = read(
      file("{'ph':'X','cat':'Runtime','name':'cudaLaunchKernel','pid':'10',"
           "'tid':'11','ts':'1712195495505543','dur':'5',"
           "'args':{'correlation':'1'}},"
           "{'ph':'X','cat':'Kernel','name':'k','pid':'0','tid':'stream 7',"
           "'ts':1712195495505600,'dur':7,'args':{'stream':'0x7','device':0.0,"
           "'correlation':1}}"));
  ASSERT_EQ(T.Ops.size(), 1u);
  EXPECT_EQ(T.Ops.Launch[0], 0u);
  EXPECT_EQ(T.Ops.Start[0], 57'000);
  EXPECT_EQ(T.Queues[0].Stream, 7u);
  EXPECT_NE(llvm::find_if(T.Info.Source.Limits,
                          [](llvm::StringRef L) {
                            return L.contains("whole microseconds");
                          }),
            T.Info.Source.Limits.end());
}

TEST(Kineto, ReadsWhatStandsBesideTheEvents) {
  Timeline T =
      read(file(Launch + Kernel,
                "'schemaVersion':1,'deviceProperties':[{'id':0,'name':'NVIDIA "
                "H200','numSms':132},{'id':1,'name':'NVIDIA H200'}],"
                "'distributedInfo':{'backend':'nccl','rank':3,'world_size':8,"
                "'pg_config':[{'pg_name':'0','ranks':[0,1]}]},"));
  ASSERT_EQ(T.Devices.size(), 1u); // Those with operations.
  EXPECT_EQ(T.Devices[0].Name, "NVIDIA H200");
  EXPECT_EQ(T.Info.Rank, 3);
  EXPECT_EQ(T.Info.Ranks, 8);
  EXPECT_EQ(T.Info.Source.Producer, "the PyTorch profiler");
}

TEST(Kineto, CopiesTellDirectionAndMemory) {
  Stage S = transferStage("Memcpy DtoH (Device -> Pageable)");
  EXPECT_EQ(S.Dir, Direction::DtoH);
  EXPECT_EQ(S.Source, MemoryKind::Device);
  EXPECT_EQ(S.Destination, MemoryKind::Pageable);
  S = transferStage("Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(S.Dir, Direction::HtoD);
  EXPECT_EQ(S.Source, MemoryKind::Pinned);
  S = transferStage("Memset (Device)");
  EXPECT_EQ(S.Destination, MemoryKind::Device);
  S = transferStage("Memcpy");
  EXPECT_EQ(S.Dir, Direction::Unknown);
  EXPECT_EQ(S.Source, MemoryKind::Unknown);
}

TEST(Kineto, NamesLoseTheVersionOfTheirInterface) {
  EXPECT_EQ(apiName("cudaMemcpy_v3020"), "cudaMemcpy");
  EXPECT_EQ(apiName("cuMemAlloc_v2"), "cuMemAlloc_v2");
  EXPECT_EQ(apiName("cudaLaunchKernel"), "cudaLaunchKernel");
  EXPECT_EQ(apiName("my_v3020"), "my_v3020");
}

TEST(Kineto, OutermostOperatorsAndTheirBackwardPassAreKept) {
  auto Event = [](const char *Rest, int Tid, int Ts) {
    return "{" + std::string(Rest) + ",'pid':10,'tid':" + std::to_string(Tid) +
           ",'ts':" + std::to_string(Ts) + "},";
  };
  Timeline T = read(file(
      Event("'ph':'X','cat':'cpu_op','name':'aten::linear','dur':20", 11, 100) +
      Event("'ph':'X','cat':'cpu_op','name':'aten::addmm','dur':9", 11, 105) +
      Event("'ph':'s','cat':'fwdbwd','name':'fwdbwd','id':7", 11, 100) +
      Event("'ph':'X','cat':'cpu_op','name':'AddmmBackward0','dur':30", 12,
            200) +
      Event("'ph':'f','cat':'fwdbwd','name':'fwdbwd','id':7", 12, 201) +
      Event("'ph':'f','cat':'fwdbwd','name':'fwdbwd','id':8", 12, 210) +
      // Of a thread's own backward pass nothing needs to be known.
      Event("'ph':'s','cat':'fwdbwd','name':'fwdbwd','id':9", 11, 110) +
      Event("'ph':'f','cat':'fwdbwd','name':'fwdbwd','id':9", 11, 120) +
      Launch + Kernel));
  std::vector<std::string> Names;
  size_t Links = 0;
  for (const Thread &One : T.Threads) {
    for (const OperatorRun &O : One.Operators)
      Names.push_back(T.Strings[O.Name].str());
    for (const WorkLink &L : One.Links) {
      ++Links;
      EXPECT_EQ(One.Tid, 12);
      EXPECT_EQ(T.Threads[L.Thread].Tid, 11);
      EXPECT_EQ(L.Time, One.Operators[0].Start + 1'000);
    }
  }
  EXPECT_EQ(Links, 1u);
  llvm::sort(Names);
  EXPECT_EQ(Names,
            (std::vector<std::string>{"AddmmBackward0", "aten::linear"}));
}

TEST(Kineto, CallsAreNamedByTheirOperators) {
  auto Slice = [](const char *Cat, const char *Name, int Ts, int Dur) {
    return "{'ph':'X','cat':'" + std::string(Cat) + "','name':'" + Name +
           "','pid':10,'tid':11,'ts':" + std::to_string(Ts) +
           ",'dur':" + std::to_string(Dur) + ",'args':{}},";
  };
  // Not in order, as profilers write them.
  Timeline T =
      read(file(Slice("cpu_op", "aten::_local_scalar_dense", 92, 30) +
                Slice("cuda_runtime", "cudaStreamSynchronize", 106, 9) +
                Slice("cpu_op", "aten::item", 90, 35) +
                Slice("cpu_op", "aten::empty", 10, 5) + // Without a call.
                Slice("python_function", "train.py(8): step", 5, 200) +
                Slice("python_function", "torch/_tensor.py(2): item", 80, 60) +
                Slice("python_function", "<built-in method item>", 85, 45) +
                Slice("cuda_runtime", "cudaDeviceSynchronize", 150, 9) +
                Launch + Kernel));
  // One slice of the operator for both calls; one for the call in Python.
  ASSERT_EQ(T.Host.size(), 5u);
  EXPECT_EQ(T.Host.Kind[0], HostKind::Site);
  EXPECT_EQ(name(T, 0), "aten::_local_scalar_dense");
  const Site &Item = T.Sites[T.Host.Site[0]];
  EXPECT_EQ(Item.Callee, "aten::item > aten::_local_scalar_dense");
  EXPECT_TRUE(Item.isOperator());
  EXPECT_EQ(Item.File, "train.py");
  EXPECT_EQ(Item.Function, "step");
  EXPECT_EQ(Item.Line, 8u);
  EXPECT_EQ(T.Host.Kind[3], HostKind::Site);
  EXPECT_EQ(T.Sites[T.Host.Site[3]].Callee, "cudaDeviceSynchronize");
  EXPECT_FALSE(T.Sites[T.Host.Site[3]].isOperator());
  EXPECT_EQ(T.Sites[T.Host.Site[3]].Line, 8u);
}

TEST(Kineto, AFrameworksFunctionHasTheUsersLine) {
  auto Slice = [](const char *Cat, const char *Name, int Ts, int Dur) {
    return "{'ph':'X','cat':'" + std::string(Cat) + "','name':'" + Name +
           "','pid':10,'tid':11,'ts':" + std::to_string(Ts) +
           ",'dur':" + std::to_string(Dur) + ",'args':{}},";
  };
  Timeline T = read(file(
      Slice("python_function", "train.py(8): main", 5, 200) +
      Slice("python_function", "transformers/trainer.py(2175): log", 6, 190) +
      Slice("python_function", "torch/_tensor.py(2): item", 80, 60) +
      Slice("cuda_runtime", "cudaStreamSynchronize", 106, 9) + Launch +
      Kernel));
  const Site &S = T.Sites[T.Host.Site[0]];
  EXPECT_EQ(S.File, "transformers/trainer.py");
  EXPECT_EQ(S.Function, "log");
  ASSERT_TRUE(S.CalledFrom.has_value());
  EXPECT_EQ(S.CalledFrom->File, "train.py");
  EXPECT_EQ(S.CalledFrom->Line, 8u);
}

TEST(Kineto, TakesFunctionsOutsideOfTheCore) {
  for (const char *Library :
       {"torch/nn/modules/module.py(1736): _call_impl", "<string>(1): f",
        "/usr/lib/python3.11/runpy.py(88): _run_code",
        "/x/site-packages/torch/b.py(3): g", "<built-in method item of Tensor>",
        "nn.Module: Linear_0", "train.py: f", "train.py(x): f"})
    EXPECT_FALSE(pythonPlace(Library).has_value()) << Library;
  auto P = pythonPlace("src/train.py(88): main");
  ASSERT_TRUE(P.has_value());
  EXPECT_EQ(P->File, "src/train.py");
  EXPECT_EQ(P->Function, "main");
  EXPECT_EQ(P->Line, 88u);
  EXPECT_EQ(P->Owner, CodeOwner::User);
  EXPECT_EQ(pythonPlace("train.py(1): <module>")->Line, 0u);
  EXPECT_EQ(pythonPlace("/x/site-packages/a/b.py(3): g")->Owner,
            CodeOwner::Framework);
  EXPECT_EQ(pythonPlace("transformers/trainer.py(3): g")->Owner,
            CodeOwner::Framework);
}

TEST(Kineto, RefusesWhatSaysNothingAboutCuda) {
  auto Names = [](const std::string &Text, const char *What) {
    return llvm::StringRef(errorOf(Text)).contains(What);
  };
  EXPECT_TRUE(Names("{}", "no list 'traceEvents'"));
  EXPECT_TRUE(Names("{\"a\":[1,2]}", "no list 'traceEvents'"));
  EXPECT_TRUE(Names("[]", "says nothing about CUDA"));
  EXPECT_TRUE(Names(file("{'ph':'X','cat':'cpu_op','name':'a','pid':1,"
                         "'tid':1,'ts':1,'dur':1}"),
                    "profile with ProfilerActivity.CUDA"));
  EXPECT_TRUE(Names(file(Kernel), "profile with ProfilerActivity.CPU"));
  EXPECT_TRUE(Names(file("{'ph':'X','cat':'cuda_runtime','name':"
                         "'hipLaunchKernel','pid':1,'tid':1,'ts':1,'dur':1}"),
                    "AMD"));
  EXPECT_TRUE(Names(file("{'ph':'X','cat':'xpu_runtime','name':'a','pid':1,"
                         "'tid':1,'ts':1,'dur':1}"),
                    "not CUDA's"));
  EXPECT_TRUE(Names("{'traceEvents", "damaged JSON"));
}

TEST(Kineto, CallsWithoutOperationsLeaveWaitsUnknown) {
  Timeline T = read(file(Launch.substr(0, Launch.size() - 1)));
  EXPECT_EQ(T.Host.size(), 1u);
  EXPECT_NE(T.Info.CuptiReason, "");
}

TEST(Kineto, ReadsWhatIsCutOff) {
  std::string Text = file(Launch + Kernel + "," + Launch + Kernel);
  for (size_t Size = 0; Size < Text.size(); ++Size) {
    llvm::Expected<Timeline> T = readKineto(readerOf(Text.substr(0, Size)));
    if (!T) {
      llvm::consumeError(T.takeError());
      continue;
    }
    EXPECT_GT(T->Unread.BytesDropped, 0u);
    EXPECT_EQ(T->Unread.FileBytes, Size);
  }
  EXPECT_EQ(read(Text).Unread.BytesDropped, 0u);
}

TEST(Kineto, ImpossibleEventsAreCounted) {
  Timeline T =
      read(file(Launch +
                "{'ph':'X','cat':'kernel','name':'k','ts':NaN,'dur':1},"
                "{'ph':'X','cat':'kernel','name':'k','ts':5,'dur':-1},"
                "{'ph':'X','cat':'kernel','name':'k','ts':5},"
                "{'ph':'X','cat':'kernel','name':'k','ts':[5],'dur':{}},"
                "{'ph':'X','cat':'kernel','name':'k','ts':1e300,'dur':1}," +
                Kernel));
  EXPECT_EQ(T.Unread.EventsInvalid, 5u);
  EXPECT_EQ(T.Ops.size(), 1u);
}

TEST(Kineto, WhatIsNoNumberMayBeAnArgument) {
  for (const char *Value :
       {"NaN", "nan", "-nan", "-nan(ind)", "Infinity", "-Infinity", "inf",
        "-inf", "1e999", "null", "true", "[NaN]", "{'a':-inf}", "'\\ud800'",
        "'a\\udc00\\ud83d b'", "'C:\\users\\u12'"}) {
    Timeline T =
        read(file("{'ph':'i','name':'a','args':{'x':" + std::string(Value) +
                  ",'y':1}}," + Launch + Kernel));
    EXPECT_EQ(T.Ops.size(), 1u) << Value;
    EXPECT_EQ(T.Unread.BytesDropped, 0u) << Value;
  }
  // But no other words.
  for (const char *Value : {"nul", "-", "abc", "12a"})
    EXPECT_NE(errorOf(file("{'a':" + std::string(Value) + "}," + Kernel)), "")
        << Value;
}

TEST(Kineto, SurrogatesBecomeOneCharacterOrTheSignForNone) {
  auto Named = [](std::string Name) {
    std::string Renamed = Kernel;
    Renamed.replace(Renamed.find("'k'"), 3, "'" + Name + "'");
    Timeline T = read(file(Launch + Renamed));
    return T.Strings[T.Stages[0].Name].str();
  };
  EXPECT_EQ(Named("\\u00e4\\u20ac\\n\\/"), "\xc3\xa4\xe2\x82\xac\n/");
  EXPECT_EQ(Named("\\ud83d\\ude00"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(Named("a\\ud83d"), "a\xef\xbf\xbd");
  EXPECT_EQ(Named("\\ude00b"), "\xef\xbf\xbd"
                               "b");
  EXPECT_EQ(Named("\\ud83d\\ud83d\\ude00"), "\xef\xbf\xbd\xf0\x9f\x98\x80");
  EXPECT_EQ(Named("\\ud83d\\n"), "\xef\xbf\xbd\n");
}

TEST(Kineto, PiecesOfAnySizeReadAlike) {
  const std::string Text =
      file(Launch + Kernel, " 'distributedInfo' :  {'rank':3 } ,\n'\\u0061':"
                            "'\\ud83d\\ude00\\\\',");
  for (size_t Piece : {1, 2, 3, 7}) {
    llvm::StringRef Rest = Text;
    llvm::Expected<Timeline> T =
        readKineto([&Rest, Piece](char *Buffer, size_t Size) {
          llvm::StringRef Part = Rest.take_front(std::min(Size, Piece));
          std::copy(Part.begin(), Part.end(), Buffer);
          Rest = Rest.drop_front(Part.size());
          return Part.size();
        });
    ASSERT_TRUE(bool(T)) << llvm::toString(T.takeError());
    EXPECT_EQ(T->Info.Rank, 3);
    EXPECT_EQ(name(*T, 0), "cudaLaunchKernel");
    EXPECT_EQ(T->Unread.FileBytes, Text.size());
    EXPECT_EQ(T->Unread.BytesDropped, 0u);
  }
}

TEST(Kineto, OperatorsHaveShapesAndMemory) {
  auto Operator = [](const char *Name, int Ts, int Dur, const char *Shapes) {
    return "{'ph':'X','cat':'cpu_op','name':'" + std::string(Name) +
           "','pid':10,'tid':11,'ts':" + std::to_string(Ts) +
           ",'dur':" + std::to_string(Dur) + ",'args':{'Input Dims':" + Shapes +
           ",'x':[[1],2]}},";
  };
  Timeline T = read(file(
      Operator("aten::mm", 102, 8, "[[32, 10], [],[10,128] ]") +
      Operator("aten::linear", 90, 40, "[]") +
      "{'ph':'i','cat':'cpu_instant_event','name':'[memory]','pid':10,'tid':"
      "11,'ts':103,'args':{'Bytes':-512,'Device Type':1}}," +
      Launch + Kernel));
  ASSERT_EQ(T.Threads[0].Operators.size(), 1u);
  ASSERT_EQ(T.Threads[0].Nested.size(), 1u);
  const OperatorRun &Inner = T.Threads[0].Nested[0];
  EXPECT_EQ(T.Strings[Inner.Name], "aten::mm");
  EXPECT_EQ(T.Strings[Inner.Shapes], "[[32, 10], [], [10, 128]]");
  EXPECT_EQ(T.Strings[T.Threads[0].Operators[0].Shapes], "[]");
  ASSERT_EQ(T.Threads[0].Memory.size(), 1u);
  EXPECT_EQ(T.Threads[0].Memory[0].Bytes, -512);
  EXPECT_TRUE(T.Threads[0].Memory[0].OnGpu);
  EXPECT_EQ(T.Threads[0].Memory[0].Time, 13'000);
}

TEST(Kineto, HostileJsonIsHarmless) {
  std::string Deep(1 << 20, '[');
  EXPECT_NE(errorOf(Deep).find("nested deeper"), std::string::npos);
  std::string DeepInside =
      file(Launch + Kernel + ",{'args':" + std::string(100'000, '['));
  EXPECT_EQ(read(DeepInside).Ops.size(), 1u);
  // Everything of a wrong type.
  for (const char *Text :
       {"{'traceEvents':{}}", "{'traceEvents':5}", "{'traceEvents':[5,[],{}]}",
        "{'traceEvents':[{'ph':5,'cat':[],'name':{},'pid':null,'tid':true,"
        "'ts':{'a':1},'dur':[],'args':7}]}",
        "{'deviceProperties':[[{'id':'x'}],{'name':5}],'distributedInfo':[]}",
        "5", "\"x\"", "null", "{", "[", "", "\xff\xfe", "[{]"}) {
    std::string Json(Text);
    std::replace(Json.begin(), Json.end(), '\'', '"');
    EXPECT_NE(errorOf(Json), "") << Text;
  }
  // Numbers of calls that are used twice, and none at all.
  Timeline T = read(file(Launch + Launch + Kernel + "," + Kernel));
  EXPECT_EQ(T.Ops.size(), 2u);
  llvm::Expected<analysis::Result> R = analysis::analyse(T);
  EXPECT_TRUE(bool(R));
}

TEST(JsonEvents, ATextThatNeverEndsIsRefused) {
  uint64_t Given = 0;
  ByteReader Endless = [&Given](char *To, size_t Size) -> size_t {
    if (Given > (uint64_t(1) << 28))
      return 0; // Enough to tell.
    std::fill(To, To + Size, 'x');
    if (!Given)
      To[0] = '"';
    Given += Size;
    return Size;
  };
  llvm::Expected<Timeline> T = readKineto(Endless);
  ASSERT_FALSE(bool(T));
  EXPECT_NE(llvm::toString(T.takeError()).find("longer"), std::string::npos);
}

TEST(Kineto, StepsThatAreOperatorsAreRanges) {
  const Timeline T =
      read(file("{'ph':'X','cat':'Operator','name':'ProfilerStep#3','pid':10,"
                "'tid':11,'ts':90,'dur':50},"
                "{'ph':'X','cat':'Operator','name':'aten::add','pid':10,"
                "'tid':11,'ts':95,'dur':20}," +
                Launch + Kernel));
  ASSERT_EQ(T.Host.size(), 3u);
  EXPECT_EQ(T.Host.Kind[0], HostKind::Range);
  EXPECT_EQ(T.Sites[T.Host.Site[0]].Function, "ProfilerStep#");
  EXPECT_EQ(T.Sites[T.Host.Site[1]].Callee, "aten::add");
}
