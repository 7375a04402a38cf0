// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "trace/Stacks.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

/// Calls of cudaMemcpy with these stacks, one after the other.
Timeline record(const std::vector<std::string> &Stacks) {
  TimelineBuilder B;
  uint32_t Thread = B.addThread(1, "main");
  uint32_t Name = B.T.Strings.intern("cudaMemcpy");
  for (size_t I = 0; I < Stacks.size(); ++I) {
    B.addHost(HostKind::Api, Thread, int64_t(I) * 100, int64_t(I) * 100 + 50,
              Name, None, (I + 1) << 12);
    if (!Stacks[I].empty())
      B.addStack(Stacks[I], (I + 1) << 12);
  }
  B.T.Modules = {{"/bin/train"}, {"/lib/libmine.so"}};
  return B.finish();
}

std::vector<Frame> resolve(const Module &M, uint64_t Offset) {
  if (M.Path == "/lib/libmine.so")
    return {{"scale", "", 0}};
  switch (Offset) {
  case 0x10:
    return {{"train", "/src/train.cu", 88}};
  case 0x11: // Of the same line.
    return {{"train", "/src/train.cu", 88}};
  case 0x20: // thrust, compiled into the program.
    return {{"copy", "/usr/local/cuda/include/thrust/copy.h", 5},
            {"fill", "/src/fill.cu", 9}};
  case 0x30:
    return {{"copy", "/usr/local/cuda/include/thrust/copy.h", 5}};
  case 0x40: // libcudart_static
    return {{"cudaMemcpy", "", 0}};
  case 0x50: // A launch, as nvcc compiles it.
    return {{"__cudaLaunchKernel", "/cuda/include/crt/device_functions.h", 2},
            {"__device_stub__Z1kPf", "/tmp/train.cudafe1.stub.c", 13}};
  case 0x60: // The kernel's function on the host, inlined into its caller.
    return {{"k", "/src/train.cu", 13}, {"step", "/src/train.cu", 40}};
  case 0x61: // Its caller jumped to the launch; of another name.
    return {{"(anonymous namespace)::kernels()", "/src/train.cu", 41}};
  case 0x62:
    return {{"void (anonymous namespace)::k(float*)", "/src/train.cu", 13},
            {"step", "/src/train.cu", 42}};
  case 0x63: // All in one.
    return {{"__device_stub__Z1kPf", "/tmp/train.cudafe1.stub.c", 13},
            {"k", "/src/train.cu", 13},
            {"step", "/src/train.cu", 43}};
  case 0x70: // A lambda in the line that calls it.
    return {{"lambda", "/src/train.cu", 50}, {"sort", "/src/train.cu", 50}};
  default:
    return {};
  }
}

const Site *siteOf(const Timeline &T, uint32_t Call) {
  uint32_t Where = T.Host.Site[Call];
  return Where == None ? nullptr : &T.Sites[Where];
}

std::string placeOf(const std::string &Frames) {
  Timeline T = record({Frames});
  placeStacks(T, resolve);
  const Site *S = siteOf(T, 0);
  return S ? S->File + ":" + std::to_string(S->Line) + " " + S->Function : "";
}

} // namespace

TEST(Stacks, TheInnermostFrameOfTheUsersOwnIsTheSite) {
  EXPECT_EQ(placeOf("/lib/libcuda.so.1+0x99\n/bin/train+0x10\n"),
            "/src/train.cu:88 train");
  EXPECT_EQ(placeOf("/bin/train+0x20\n"), "/src/fill.cu:9 fill");
  EXPECT_EQ(placeOf("/bin/train+0x30\n/bin/train+0x10\n"),
            "/src/train.cu:88 train");
  EXPECT_EQ(placeOf("/bin/train+0x40\n/bin/train+0x10\n"),
            "/src/train.cu:88 train");
}

/// A launch is of the line that has it, not of the kernel's.
TEST(Stacks, ALaunchIsInItsCaller) {
  EXPECT_EQ(placeOf("/bin/train+0x50\n/bin/train+0x60\n/bin/train+0x10\n"),
            "/src/train.cu:40 step");
  EXPECT_EQ(placeOf("/bin/train+0x60\n"), "/src/train.cu:13 k");
  EXPECT_EQ(placeOf("/bin/train+0x50\n/bin/train+0x61\n"),
            "/src/train.cu:41 (anonymous namespace)::kernels()");
  EXPECT_EQ(placeOf("/bin/train+0x50\n/bin/train+0x62\n"),
            "/src/train.cu:42 step");
  EXPECT_EQ(placeOf("/bin/train+0x63\n"), "/src/train.cu:43 step");
}

/// Of native code, outermost first.
TEST(Stacks, TheLinesOfASample) {
  auto LinesOf = [](const std::string &Frames) {
    TimelineBuilder B;
    ThreadSample One;
    One.Thread = B.addThread(1, "main");
    One.State = ThreadState::OnTimer;
    One.Frames = B.T.Strings.intern(Frames);
    B.addSample(One);
    B.T.Modules = {{"/bin/train"}, {"/lib/libmine.so"}};
    Timeline T = B.finish();
    placeStacks(T, resolve);
    std::string Text;
    for (uint32_t Line : T.Paths[T.Samples[0].Path].Lines)
      Text += T.Sites[Line].Function + ":" +
              std::to_string(T.Sites[Line].Line) + " ";
    const uint32_t Place = T.Paths[T.Samples[0].Path].Place;
    return Text + (Place == None ? "nowhere" : "in " + T.Sites[Place].File);
  };
  EXPECT_EQ(LinesOf("/bin/train+0x50\n/bin/train+0x60\n/bin/train+0x10\n"),
            "train:88 step:40 in /src/train.cu");
  EXPECT_EQ(LinesOf("/bin/train+0x70\n/bin/train+0x60\n"),
            "step:40 k:13 sort:50 in /src/train.cu");
  EXPECT_EQ(LinesOf("/lib/libc.so.6+0x9\n/lib/libmine.so+0x1f\n"),
            "scale:0 in libmine.so");
  EXPECT_EQ(LinesOf("/lib/libc.so.6+0x9\n/bin/train+0xabc\n"), "nowhere");
}

TEST(Stacks, WithoutLinesFunctionAndOffset) {
  EXPECT_EQ(placeOf("/lib/libmine.so+0x1f\n/bin/train+0x10\n"),
            "libmine.so+0x1f:0 scale");
  EXPECT_EQ(placeOf("/bin/train+0xabc\n"), "train+0xabc:0 ");
  EXPECT_EQ(placeOf("/lib/libcuda.so.1+0x99\n"), "");
  EXPECT_EQ(placeOf("nonsense\n"), "");
}

TEST(Stacks, APlaceHasAllOfItsFrames) {
  Timeline T =
      record({"/lib/libcuda.so.1+0x99\n/bin/train+0x10\n", "/bin/train+0x11\n",
              "/bin/train+0x10\n",
              "/venv/lib/python3.12/site-packages/torch/_tensor.py:5:1-3 item\n"
              "/home/me/loop.py:13:1-9 train\n"});
  placeStacks(T, resolve);
  EXPECT_EQ(siteOf(T, 0)->PlaceFrames, "/bin/train+0x10\t/bin/train+0x11");
  EXPECT_EQ(siteOf(T, 3)->PlaceFrames, "/home/me/loop.py:13");
}

TEST(Stacks, PythonSkipsLibraries) {
  EXPECT_EQ(placeOf("/usr/lib/python3/dist-packages/torch/_tensor.py:9 item\n"
                    "/home/me/my train.py:88 main\n"),
            "/home/me/my train.py:88 main");
  EXPECT_EQ(placeOf("<frozen runpy>:9 item\n"), "<frozen runpy>:9 item");
}

/// "trainer.py:2175 Trainer.log, from hf.py:18 <module>"
static std::string placeAndCallerOf(const std::string &Frames) {
  Timeline T = record({Frames});
  placeStacks(T, resolve);
  const Site *S = siteOf(T, 0);
  if (!S)
    return "";
  std::string Text =
      S->File + ":" + std::to_string(S->Line) + " " + S->Function;
  if (const auto &From = S->CalledFrom)
    Text += ", from " + From->File + ":" + std::to_string(From->Line) + " " +
            From->Function;
  return Text;
}

TEST(Stacks, PythonOfAFrameworkAndTheUsersLine) {
  const std::string Log = "/x/site-packages/transformers/trainer.py:2175:30-83 "
                          "Trainer._log\n",
                    Train = "/x/site-packages/transformers/trainer.py:1520:2-5 "
                            "Trainer.train\n",
                    User = "/home/hf.py:18:1-68 <module>\n";
  EXPECT_EQ(placeAndCallerOf(Log + Train + User),
            "/x/site-packages/transformers/trainer.py:2175 Trainer._log, from "
            "/home/hf.py:18 <module>");
  // An array library is no framework, wherever its frames are.
  EXPECT_EQ(placeAndCallerOf(
                "/x/site-packages/torch/_tensor.py:9 item\n" + Log +
                "/x/site-packages/torch/nn/module.py:7 call\n" + Train + User),
            "/x/site-packages/transformers/trainer.py:2175 Trainer._log, from "
            "/home/hf.py:18 <module>");
  for (const char *Core :
       {"/x/site-packages/jax/_src/array.py:9 f\n",
        "/usr/lib64/python3.9/contextlib.py:9 f\n",
        "/x/site-packages/cupy/_core/x.py:9 f\n", "<string>:9 f\n"})
    EXPECT_EQ(placeAndCallerOf(Core + User), "/home/hf.py:18 <module>") << Core;
  // The user's own function in the framework's loop.
  EXPECT_EQ(placeAndCallerOf("/home/hf.py:7 compute_loss\n" + Train + User),
            "/home/hf.py:7 compute_loss");
  EXPECT_EQ(placeAndCallerOf(Log + Train),
            "/x/site-packages/transformers/trainer.py:2175 Trainer._log");
}

TEST(Stacks, AFrameworksLineIsASiteForEachLineOfTheUser) {
  const std::string Item =
      "/x/site-packages/lightning/fabric.py:134:3-9 item\n";
  Timeline T = record({Item + "/home/a.py:9 f\n", Item + "/home/a.py:12 f\n",
                       Item + "/home/a.py:9 f\n/home/a.py:88 main\n"});
  placeStacks(T, resolve);
  EXPECT_NE(siteOf(T, 0), siteOf(T, 1));
  EXPECT_EQ(siteOf(T, 0), siteOf(T, 2));
  EXPECT_NE(siteOf(T, 0)->key(), siteOf(T, 1)->key());
}

TEST(Stacks, GeneratedCodeIsNamedByItsKernel) {
  const std::string Generated =
      "/tmp/torchinductor_me/rn/"
      "crnwvubpe4bdferrnspd3bvfd6733chwgq4hpo6ct37b3abcdefg.py:88:5-99 call\n";
  const std::string Torch = "/x/site-packages/torch/_inductor/utils.py:3 run\n";
  TimelineBuilder B;
  const uint32_t Thread = B.addThread(1, "main"),
                 Name = B.T.Strings.intern("cuLaunchKernelEx"),
                 Queue = B.queue(0, 1, 7);
  for (uint64_t I = 1; I <= 2; ++I) {
    B.addHost(HostKind::Driver, Thread, int64_t(I) * 100, int64_t(I) * 100 + 50,
              Name, None, I << 12);
    B.addStack(I == 1 ? Generated + Torch + "/home/a.py:9 f\n"
                      : Generated + Torch,
               I << 12);
    Stage Kernel;
    Kernel.Name = B.T.Strings.intern("triton_poi_fused_relu_0");
    Kernel.Kind = OpKind::Kernel;
    B.addOp(Queue, B.addStage(Kernel), int64_t(I) * 100 + 60,
            int64_t(I) * 100 + 70, I << 12);
  }
  Timeline T = B.finish();
  placeStacks(T, resolve);
  EXPECT_EQ(siteOf(T, 0)->File, "/home/a.py");
  EXPECT_EQ(siteOf(T, 0)->Line, 9u);
  EXPECT_EQ(siteOf(T, 0)->Expression, "torch.compile: triton_poi_fused_relu_0");
  EXPECT_EQ(siteOf(T, 1)->File, "torch.compile");
  EXPECT_EQ(siteOf(T, 1)->Line, 0u);
}

TEST(Stacks, PythonHasColumns) {
  auto Place = [](const std::string &Frames) {
    Timeline T = record({Frames});
    placeStacks(T, resolve);
    const Site *S = siteOf(T, 0);
    return S ? S->File + ":" + std::to_string(S->Line) + " " +
                   std::to_string(S->Column) + "-" +
                   std::to_string(S->EndLine) + ":" +
                   std::to_string(S->EndColumn) + " " + S->Function
             : "";
  };
  EXPECT_EQ(Place("/home/a.py:88:14-24 main\n"), "/home/a.py:88 14-88:24 main");
  EXPECT_EQ(Place("/home/a.py:88:14-90:3 main\n"),
            "/home/a.py:88 14-90:3 main");
  EXPECT_EQ(Place("/home/a.py:88 main\n"), "/home/a.py:88 0-0:0 main");
  EXPECT_EQ(Place("/my-app:1/x-2.py:88 f\n"), "/my-app:1/x-2.py:88 0-0:0 f");
  EXPECT_EQ(Place("/my-app:1/x-2:88:1-9 f\n"), "/my-app:1/x-2:88 1-88:9 f");
  for (const char *Bad :
       {"/a.py:88:14- f\n", "/a.py:14-24 f\n", "/a.py:88:-24 f\n",
        "/a.py:88:0-24 f\n", "/a.py:88:4-99999999999 f\n", ":88:1-2 f\n"})
    EXPECT_EQ(Place(Bad), "") << Bad;
}

TEST(Stacks, ExpressionsOfOneLineAreTwoSites) {
  Timeline T = record({"/home/a.py:88:1-9 main\n", "/home/a.py:88:13-20 main\n",
                       "/home/a.py:88:1-9 main\n/home/b.py:1:1-2 run\n"});
  placeStacks(T, resolve);
  EXPECT_NE(siteOf(T, 0), siteOf(T, 1));
  EXPECT_EQ(siteOf(T, 0), siteOf(T, 2));
}

TEST(Stacks, CallsOfOnePlaceAreOneSite) {
  Timeline T = record({"/bin/train+0x10\n", "/bin/train+0x11\n", ""});
  placeStacks(T, resolve);
  EXPECT_EQ(T.Host.Site[0], T.Host.Site[1]);
  EXPECT_EQ(T.Host.Site[2], None);
  analysis::Result R = llvm::cantFail(analysis::analyse(T));
  ASSERT_EQ(R.Sites.size(), 2u);
  EXPECT_EQ(R.Sites[0].Site, T.Host.Site[0]);
  EXPECT_EQ(R.Sites[0].Count, 2u);
  EXPECT_EQ(R.Sites[0].Kind, "copy");
  EXPECT_EQ(R.Sites[1].Site, None);
  EXPECT_EQ(R.Sites[1].Count, 1u);
}

TEST(Stacks, AProbeComesFirst) {
  TimelineBuilder B;
  uint32_t Thread = B.addThread(1, "main");
  uint32_t Probe = B.site(7);
  B.T.Sites[Probe].Callee = "cudaMemcpy";
  B.addHost(HostKind::Site, Thread, 0, 100, B.T.Strings.intern("cudaMemcpy"),
            Probe);
  B.addHost(HostKind::Api, Thread, 10, 90, B.T.Strings.intern("cudaMemcpy"),
            None, 1 << 12);
  B.addStack("/bin/train+0x10\n", 1 << 12);
  Timeline T = B.finish();
  placeStacks(T, resolve);
  analysis::Result R = llvm::cantFail(analysis::analyse(T));
  ASSERT_EQ(R.Sites.size(), 1u);
  EXPECT_EQ(R.Sites[0].Site, Probe);
  EXPECT_EQ(R.Sites[0].Count, 1u);
}
