// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND: generators, seeds, distributions.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<curand.h>)
#include <curand.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

constexpr size_t N = 4096;

curandGenerator_t newGenerator(const Bench &B, curandRngType_t Type) {
  curandGenerator_t G = nullptr;
  CALL(curandCreateGenerator)(&G, Type);
  CALL(curandSetStream)(G, B.OwnStream);
  return G;
}

/// Kept, with its state set up.
curandGenerator_t generator(const Bench &B) {
  static curandGenerator_t G = nullptr;
  if (!G) {
    G = newGenerator(B, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    CALL(curandGenerateSeeds)(G);
  }
  return G;
}

/// `Generate` writes to device memory.
void addGeneration(Cases &C, const char *Name, const char *Arguments,
                   void (*Generate)(curandGenerator_t, void *)) {
  C.add(Name, Arguments, flag(DeviceGenerator), [Generate](Bench &B) {
    curandGenerator_t G = generator(B);
    void *To = B.buffer(M::Device);
    B.time([&] { Generate(G, To); });
  });
}

void addGenerations(Cases &C) {
  addGeneration(C, "curandGenerate", "4,096 numbers",
                [](curandGenerator_t G, void *To) {
                  CALL(curandGenerate)(G, static_cast<unsigned *>(To), N);
                });
  addGeneration(C, "curandGenerateUniform", "4,096 numbers",
                [](curandGenerator_t G, void *To) {
                  CALL(curandGenerateUniform)(G, static_cast<float *>(To), N);
                });
  addGeneration(C, "curandGenerateNormal", "4,096 numbers",
                [](curandGenerator_t G, void *To) {
                  CALL(curandGenerateNormal)(G, static_cast<float *>(To), N, 0,
                                             1);
                });
  addGeneration(C, "curandGeneratePoisson", "4,096 numbers, the same lambda",
                [](curandGenerator_t G, void *To) {
                  CALL(curandGeneratePoisson)(G, static_cast<unsigned *>(To), N,
                                              10);
                });
  addGeneration(C, "curandGeneratePoisson", "4,096 numbers, another lambda",
                [](curandGenerator_t G, void *To) {
                  static double Lambda = 10;
                  Lambda += 1;
                  CALL(curandGeneratePoisson)(G, static_cast<unsigned *>(To), N,
                                              Lambda);
                });
  C.add("curandGenerateUniform", "4,096 numbers, host generator",
        flag(HostGenerator), [](Bench &B) {
          curandGenerator_t G = nullptr;
          CALL(curandCreateGeneratorHost)(&G, CURAND_RNG_PSEUDO_PHILOX4_32_10);
          CALL(curandSetStream)(G, B.OwnStream);
          auto *To = static_cast<float *>(B.buffer(M::Pageable));
          B.time([&] { CALL(curandGenerateUniform)(G, To, N); });
          CALL(curandDestroyGenerator)(G);
        });
}

void addGenerators(Cases &C) {
  for (auto [Type, Text] :
       {std::pair(CURAND_RNG_PSEUDO_XORWOW, "XORWOW"),
        std::pair(CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox"),
        std::pair(CURAND_RNG_PSEUDO_MT19937, "MT19937")}) {
    C.add("curandCreateGenerator", Text, Facts(), [Type = Type](Bench &B) {
      curandGenerator_t G = nullptr;
      B.time([&] { CALL(curandCreateGenerator)(&G, Type); });
      CALL(curandDestroyGenerator)(G);
    });
    C.add("curandGenerateSeeds", Text, Facts(), [Type = Type](Bench &B) {
      curandGenerator_t G = newGenerator(B, Type);
      B.time([&] { CALL(curandGenerateSeeds)(G); });
      CALL(curandDestroyGenerator)(G);
    });
    C.add("curandDestroyGenerator", std::string(Text) + ", after use", Facts(),
          [Type = Type](Bench &B) {
            curandGenerator_t G = newGenerator(B, Type);
            auto *To = static_cast<float *>(B.buffer(M::Device));
            CALL(curandGenerateUniform)(G, To, N);
            B.time([&] { CALL(curandDestroyGenerator)(G); });
          });
  }
  C.add("curandSetPseudoRandomGeneratorSeed", "", Facts(), [](Bench &B) {
    curandGenerator_t G = newGenerator(B, CURAND_RNG_PSEUDO_XORWOW);
    B.time([&] { CALL(curandSetPseudoRandomGeneratorSeed)(G, 42); });
    CALL(curandDestroyGenerator)(G);
  });
  C.add("curandCreatePoissonDistribution", "", Facts(), [](Bench &B) {
    curandDiscreteDistribution_t D = nullptr;
    B.time([&] { CALL(curandCreatePoissonDistribution)(10, &D); });
    CALL(curandDestroyDistribution)(D);
  });
  C.add("curandDestroyDistribution", "", Facts(), [](Bench &B) {
    curandDiscreteDistribution_t D = nullptr;
    CALL(curandCreatePoissonDistribution)(10, &D);
    B.time([&] { CALL(curandDestroyDistribution)(D); });
  });
}

} // namespace

void autoprof::calibrate::addRand(Cases &C) {
  addGenerators(C);
  addGenerations(C);
}
#else
void autoprof::calibrate::addRand(Cases &C) { C.NotBuilt.push_back("curand"); }
#endif
