// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/NvccArgs.h"
#include "compilation/Launchers.h"

#include <gtest/gtest.h>

using namespace autoprof::sources;
using Words = std::vector<std::string>;

static NvccCommand read(const Words &Args) {
  llvm::Expected<NvccCommand> Command = readNvcc(Args, "/nowhere");
  EXPECT_TRUE(bool(Command));
  return Command ? *Command : NvccCommand();
}

TEST(NvccArgs, EverySpellingOfAValue) {
  for (const Words &Args :
       {Words{"-Ione"}, Words{"-I", "one"}, Words{"-I=one"},
        Words{"--include-path", "one"}, Words{"--include-path=one"}})
    EXPECT_EQ(read(Args).IncludeFolders, Words{"one"}) << Args[0];
}

TEST(NvccArgs, ListsAreSplitAtCommas) {
  EXPECT_EQ(read({"-DA=1,B", "-U=C"}).HostOptions,
            (Words{"-DA=1", "-DB", "-UC"}));
  EXPECT_EQ(read({"-Xcompiler", "-fPIC,-Wall"}).HostOptions,
            (Words{"-fPIC", "-Wall"}));
  EXPECT_EQ(read({"-Xcompiler=-DX=1\\,2"}).HostOptions, Words{"-DX=1,2"});
  EXPECT_EQ(read({"-Xcompiler", "-Wall -Wextra"}).HostOptions,
            (Words{"-Wall", "-Wextra"}));
}

TEST(NvccArgs, ListsAreReadWithTheirQuotes) {
  EXPECT_EQ(read({R"(-DA="a,b",B="c,d")"}).HostOptions,
            (Words{R"(-DA="a,b")", R"(-DB="c,d")"}));
  EXPECT_EQ(read({R"(-DA=\"a,b)"}).HostOptions, (Words{R"(-DA="a)", "-Db"}));
  EXPECT_EQ(read({R"(-DA="a\\,b",c)"}).HostOptions,
            (Words{R"(-DA="a\,b")", "-Dc"}));
  EXPECT_EQ(read({"-DA='a,b'"}).HostOptions, (Words{"-DA='a", "-Db'"}));
}

TEST(NvccArgs, ValuesAreNotInputs) {
  const NvccCommand C = read({"-o", "x.o", "-ccbin", "g++", "-maxrregcount",
                              "32", "-Xptxas", "-v", "--threads", "4", "a.cu"});
  EXPECT_EQ(C.Inputs, Words{"a.cu"});
  EXPECT_EQ(C.Output, "x.o");
  EXPECT_EQ(C.HostCompiler, "g++");
  EXPECT_TRUE(C.HostOptions.empty());
}

TEST(NvccArgs, Architectures) {
  const std::set<unsigned> Both = {800, 900};
  EXPECT_EQ(read({"-gencode", "arch=compute_80,code=sm_80",
                  "--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]"})
                .Architectures,
            Both);
  EXPECT_EQ(read({"-arch=native"}).Architectures, std::set<unsigned>());
}

TEST(NvccArgs, MacrosThatOptionsStandFor) {
  EXPECT_EQ(read({"-rdc=true"}).HostOptions, Words{"-D__CUDACC_RDC__"});
  EXPECT_EQ(read({"-rdc=false"}).HostOptions, Words());
  EXPECT_EQ(read({"-dc"}).HostOptions, Words{"-D__CUDACC_RDC__"});
  EXPECT_EQ(read({"--default-stream", "per-thread"}).HostOptions,
            Words{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  EXPECT_EQ(read({"--default-stream=legacy"}).HostOptions, Words());
}

TEST(NvccArgs, WhatIsMade) {
  EXPECT_TRUE(read({"-dlink", "a.o"}).CompilesNothing);
  EXPECT_TRUE(read({"-E", "a.cu"}).CompilesNothing);
  EXPECT_TRUE(read({"-ptx", "a.cu"}).DeviceOnly);
  EXPECT_FALSE(read({"-c", "a.cu"}).CompilesNothing);
  EXPECT_TRUE(read({"-MMD", "-c", "a.cu"}).WritesDependencies);
  EXPECT_FALSE(read({"-c", "a.cu"}).WritesDependencies);
  EXPECT_TRUE(read({"-x", "cu"}).isCuda("a.cpp"));
  EXPECT_FALSE(read({"-x", "c++"}).isCuda("a.cu"));
  EXPECT_TRUE(read({}).isCuda("a.cu"));
  EXPECT_TRUE(read({}).isC("a.c"));
  EXPECT_FALSE(read({}).isC("a.C"));
  EXPECT_FALSE(read({}).isC("a.cu"));
  EXPECT_TRUE(read({"-x", "c"}).isC("a.cu"));
  EXPECT_FALSE(read({"-x", "cu"}).isC("a.c"));
  EXPECT_FALSE(read({"-x", "c++"}).isC("a.c"));
}

TEST(NvccArgs, UnknownOptionsGoToTheHostCompiler) {
  EXPECT_EQ(read({"-march=native", "-fopenmp"}).HostOptions,
            (Words{"-march=native", "-fopenmp"}));
}

TEST(NvccArgs, OptionFileThatCannotBeRead) {
  llvm::Expected<NvccCommand> Command =
      readNvcc(Words{"--options-file", "no.rsp"}, "/nowhere");
  ASSERT_FALSE(bool(Command));
  EXPECT_EQ(llvm::toString(Command.takeError()),
            "cannot read the options file '/nowhere/no.rsp': No such file or "
            "directory");
}

TEST(Launchers, AreSkipped) {
  const Words Command = {
      "/usr/bin/ccache", "A=b", "autoprof-nvcc", "nvcc", "-c", "a.cu"};
  EXPECT_EQ(withoutLaunchers(Command).front(), "nvcc");
  const Words Wrapper = {"autoprof-nvcc", "-c", "a.cu"};
  EXPECT_EQ(withoutLaunchers(Wrapper).front(), "autoprof-nvcc");
  const Words Alone = {"ccache"};
  EXPECT_EQ(withoutLaunchers(Alone).front(), "ccache");
}
