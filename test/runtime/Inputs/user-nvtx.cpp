// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that makes NVTX calls of every sort, without CUDA; argv[1] says
// which.
#include <autoprof/probe.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Engine {
  static constexpr char const *name{"engine"};
};

static nvtxEventAttributes_t event(const char *text) {
  nvtxEventAttributes_t e = {};
  e.version = NVTX_VERSION;
  e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  e.messageType = NVTX_MESSAGE_TYPE_ASCII;
  e.message.ascii = text;
  return e;
}

static void every() {
  nvtxRangePushA("outer");
  nvtxRangePushW(L"breit \u00e4\u4e2d\U0001F600");
  nvtxRangePop();
  nvtxRangePop();

  nvtxNameCategoryA(3, "loading");
  nvtxEventAttributes_t e = event("with attributes");
  e.category = 3;
  e.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  e.payload.llValue = -5;
  nvtxRangePushEx(&e);
  e = event("inside");
  nvtxMarkEx(&e);
  nvtxRangePop();
  nvtxMarkA("here");

  nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
  nvtxStringHandle_t string = nvtxDomainRegisterStringA(domain, "registered");
  e = event(nullptr);
  e.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  e.message.registered = string;
  nvtxDomainRangePushEx(domain, &e);
  nvtxDomainRangePop(domain);
  nvtxDomainMarkEx(domain, &e);
  if (nvtxDomainCreateW(L"library") != domain)
    puts("another handle for the same domain");

  {
    nvtx3::scoped_range range("scoped");
    nvtx3::scoped_range_in<Engine> inner("in engine", nvtx3::payload{7u});
  }
  nvtxRangeId_t first = nvtxRangeStartA("first"),
                second = nvtxRangeStartA("second");
  std::thread([&] { nvtxRangeEnd(first); }).join();
  nvtxRangeEnd(second);
}

/// Ranges that nest neither with each other nor with the probes around them.
static void crossing() {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("other");
  nvtxEventAttributes_t e = event("theirs");
  nvtxRangePushA("mine");
  nvtxDomainRangePushEx(domain, &e);
  nvtxRangePop();
  nvtxDomainRangePop(domain);
  for (int i = 0; i < 3; ++i) {
    AP_RANGE(0x00000000000000a1)
    if (i > 0)
      nvtxRangePop();
    nvtxRangePushA("over the edge");
  }
  nvtxRangePop();
  {
    AP_RANGE(0x00000000000000a2)
    nvtxRangePushA("longer than its function");
  }
  nvtxRangePop();
  for (int i = 0; i < 2; ++i) {
    AP_RANGE(0x00000000000000a1)
    nvtxRangePushA("inside");
    nvtxRangePop();
  }
}

static void unbalanced() {
  nvtxRangePop();
  nvtxRangePushA("kept");
  nvtxRangePop();
  nvtxRangePop();
  nvtxRangeEnd(12345);
  nvtxRangePushA("never popped");
}

static void names() {
  nvtxRangePushA(std::string(5000, 'l').c_str());
  nvtxRangePop();
  // Two bytes for each character: the limit falls into none.
  std::string umlauts("x");
  for (int i = 0; i < 2000; ++i)
    umlauts += "\xc3\xa4";
  nvtxRangePushA(umlauts.c_str());
  nvtxRangePop();
  nvtxRangePushA("bad \xff\xfe utf-8 \xc3");
  nvtxRangePop();
  nvtxRangePushA("");
  nvtxRangePop();
  nvtxRangePushA(nullptr);
  nvtxRangePop();
  nvtxRangePushEx(nullptr);
  nvtxRangePop();
  const wchar_t bad[] = {0x110000, 0xD800, L'!', 0};
  nvtxRangePushW(bad);
  nvtxRangePop();
}

/// Prints the cost of a range to stderr.
static void many(int n) {
  timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int i = 0; i < n; ++i) {
    nvtxRangePushA("training step");
    nvtxRangePop();
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  double ns =
      double(to.tv_sec - from.tv_sec) * 1e9 + double(to.tv_nsec - from.tv_nsec);
  fprintf(stderr, "%.1f ns a range\n", ns / n);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "every";
  auto is = [what](const char *name) { return strcmp(what, name) == 0; };
  errno = 4711;
  if (is("every"))
    every();
  else if (is("crossing"))
    crossing();
  else if (is("unbalanced"))
    unbalanced();
  else if (is("names"))
    names();
  else if (is("many"))
    many(100000);
  else if (is("threads")) {
#if __has_feature(thread_sanitizer)
    nvtxMarkA("NVTX's own headers begin with a race");
#endif
    std::vector<std::thread> all;
    for (int i = 0; i < 8; ++i)
      all.emplace_back([] {
        for (int j = 0; j < 1000; ++j) {
          nvtx3::scoped_range range("of a thread");
        }
      });
    for (std::thread &t : all)
      t.join();
  } else if (is("fork")) {
    nvtxRangePushA("parent");
    fflush(stdout);
    if (fork() == 0) {
      nvtxRangePushA("child");
      nvtxRangePop();
      nvtxDomainCreateA("child's");
      _exit(0);
    }
    wait(nullptr);
    nvtxRangePop();
  }
  printf("errno %d\n", errno);
  return 7;
}

AP_TABLE("0x00000000000000a1|loop|88|3|src/train.cu|main|;"
         "0x00000000000000a2|function|90|1|src/train.cu|begin|;")
