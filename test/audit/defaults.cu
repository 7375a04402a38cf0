// What is off unless somebody sets an option is low.
// RUN: %check_rules
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void step(float *x);

bool Debug = false;
#define CHECKED(x)                                                             \
  do {                                                                         \
    step<<<1, 1>>>(x);                                                         \
    if (Debug)                                                                 \
      checked();                                                               \
  } while (0)
void checked() {
  cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: if Debug
}

struct Options {
  bool Trace = false, Check = false, Profile = false, Fast = true;
  int Every = 1, Mode = 0;
};

bool &verify() {
  static bool on = false;
  return on;
}
bool &always() {
  static bool on = false;
  return on;
}

void read(Options &o, const char *name, const char *value) {
  if (!strcmp(name, "trace"))
    o.Trace = true;
  o.Check = !strcmp(value, "check");
  sscanf(value, "%d", &o.Every);
  if (!strcmp(name, "debug"))
    Debug = atoi(value);
}

class Solver {
  const Options &O;
  bool Profiles = false, Ready = false, Always;
  int Size = 0, Mode;

public:
  Solver(const Options &O) : O(O), Always(true), Mode(O.Mode) {}
  void setProfile(bool on) { Profiles = on; }
  void prepare(int n) {
    Ready = true;
    Size = n;
  }
  void run(float *x, int i) {
    CHECKED(x);
    if (O.Trace)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (O.Check)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (Profiles)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (O.Fast)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (!O.Fast)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (Ready)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (Size)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (Always)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (Mode == 2) // One of several, none of which is off.
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (i % O.Every == 0)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (verify())
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (always())
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
};

void apply(const Options &o) {
  verify() = o.Profile;
  always() = true;
}

int main(int argc, char **argv) {
  Options o;
  for (int i = 1; i + 1 < argc; ++i)
    read(o, argv[i], argv[i + 1]);
  Solver s(o);
  s.setProfile(o.Profile);
  apply(o);
  s.prepare(atoi(argv[1]));
  float *x;
  cudaMalloc(&x, 4);
  for (int i = 0; i < 1000; ++i)
    s.run(x, i);
}
