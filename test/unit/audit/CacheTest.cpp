// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Cache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

using namespace autoprof::audit;

namespace {

class CacheTest : public testing::Test {
protected:
  llvm::SmallString<128> Folder;

  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("autoprof", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  Cache open(uint64_t MaxBytes) const {
    return Cache(Folder.str().str(), MaxBytes);
  }
};

/// Longer than the kernel's clock of file times takes to go on.
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// An entry of a bit more than 600 bytes: it does not get shorter.
const std::string Bytes = [] {
  std::string Result;
  std::mt19937 Next;
  while (Result.size() < 600)
    Result += char(Next());
  return Result;
}();

TEST_F(CacheTest, KeepsWhatFits) {
  Cache C = open(10'000);
  C.store(1, {}, Bytes);
  C.store(2, {}, Bytes);
  C.prune();
  EXPECT_EQ(C.find(1), Bytes);
  EXPECT_EQ(C.find(2), Bytes);
}

// Neither another size nor other bytes crash, or take all memory.
TEST_F(CacheTest, RefusesDamage) {
  Cache C = open(10'000);
  C.store(1, {}, Bytes);
  std::error_code Error;
  const std::string Path =
      llvm::sys::fs::directory_iterator(Folder, Error)->path();
  for (const char *Damaged :
       {"0\n600\n", "0\n600\nxxxx", "0\n9000000000000000000\nxxxx", "0\nx"}) {
    int Descriptor = 0;
    ASSERT_FALSE(llvm::sys::fs::openFileForWrite(Path, Descriptor));
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Damaged;
    EXPECT_EQ(C.find(1), std::nullopt) << Damaged;
  }
}

// The kernel itself may note the first time a file is read, and not the second.
TEST_F(CacheTest, RemovesWhatWasUsedLeastRecently) {
  Cache C = open(1000);
  for (uint64_t Key : {1, 2}) {
    C.store(Key, {}, Bytes);
    pause();
  }
  for (uint64_t Key : {1, 2, 1}) {
    EXPECT_EQ(C.find(Key), Bytes);
    pause();
  }
  C.prune();
  EXPECT_EQ(C.find(1), Bytes);
  EXPECT_EQ(C.find(2), std::nullopt);
}

TEST_F(CacheTest, RemovesNothingElse) {
  llvm::SmallString<128> Other(Folder);
  llvm::sys::path::append(Other, "notes.txt");
  int Descriptor = 0;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(Other, Descriptor));
  llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Bytes << Bytes;
  Cache C = open(1);
  C.store(1, {}, Bytes);
  C.prune();
  EXPECT_EQ(C.find(1), std::nullopt);
  EXPECT_TRUE(llvm::sys::fs::exists(Other));
}

// Each stores, finds and prunes what the others do: an entry is whole or not
// there.
TEST_F(CacheTest, IsSharedByThreads) {
  std::vector<std::thread> Users;
  for (int User = 0; User < 4; ++User)
    Users.emplace_back([this] {
      Cache C = open(1500);
      for (uint64_t I = 0; I < 200; ++I) {
        C.store(I % 7, {}, Bytes);
        std::optional<std::string> Found = C.find((I + 3) % 7);
        EXPECT_EQ(Found.value_or(Bytes), Bytes);
        if (I % 5 == 0)
          C.prune();
      }
    });
  for (std::thread &User : Users)
    User.join();
  open(1500).prune();
  uint64_t Whole = 0;
  for (uint64_t Key = 0; Key < 7; ++Key)
    Whole += open(1500).find(Key).has_value();
  EXPECT_LE(Whole, 2u);
}

TEST_F(CacheTest, WithoutAFolderThereIsNothing) {
  Cache C("");
  C.store(1, {}, Bytes);
  C.prune();
  EXPECT_EQ(C.find(1), std::nullopt);
}

} // namespace
