// Every operation of the standard library that destroys or replaces an object
// runs its destructor or deleter.
// RUN: %check_rules
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

__global__ void step(float *x) { *x += 1; }

// One type for each operation, so that each has a line of its own.
#define BUFFER(NAME)                                                           \
  struct NAME {                                                                \
    float *Data = nullptr;                                                     \
    explicit NAME(float *d) : Data(d) {}                                       \
    NAME(NAME &&o) noexcept : Data(std::exchange(o.Data, nullptr)) {}          \
    NAME &operator=(NAME &&o) noexcept {                                       \
      std::swap(Data, o.Data);                                                 \
      return *this;                                                            \
    }                                                                          \
    ~NAME();                                                                   \
  };
BUFFER(Assigned)
BUFFER(Emplaced)
BUFFER(Reset)
BUFFER(Cleared)
BUFFER(Erased)
BUFFER(Popped)
BUFFER(Temporary)
BUFFER(Exchanged)
BUFFER(Made)
Assigned::~Assigned() { cudaFree(Data); }   // expect: autoprof-memory-free-in-destructor medium
Emplaced::~Emplaced() { cudaFree(Data); }   // expect: autoprof-memory-free-in-destructor medium
Reset::~Reset() { cudaFree(Data); }         // expect: autoprof-memory-free-in-destructor medium
Cleared::~Cleared() { cudaFree(Data); }     // expect: autoprof-memory-free-in-destructor medium
Erased::~Erased() { cudaFree(Data); }       // expect: autoprof-memory-free-in-destructor medium
Popped::~Popped() { cudaFree(Data); }       // expect: autoprof-memory-free-in-destructor medium
Temporary::~Temporary() { cudaFree(Data); } // expect: autoprof-memory-free-in-destructor medium
Exchanged::~Exchanged() { cudaFree(Data); } // expect: autoprof-memory-free-in-destructor medium
Made::~Made() { cudaFree(Data); }           // expect: autoprof-memory-free-in-destructor medium

float *given();
void assigned(float *x, int n) {
  Assigned a(x);
  for (int i = 0; i < n; ++i) {
    a = Assigned(given());
    step<<<1, 1>>>(a.Data);
  }
}
void emplaced(int n) {
  std::optional<Emplaced> o;
  for (int i = 0; i < n; ++i) {
    o.emplace(given());
    step<<<1, 1>>>(o->Data);
  }
}
void reset(int n) {
  std::optional<Reset> o;
  for (int i = 0; i < n; ++i) {
    o.emplace(given());
    step<<<1, 1>>>(o->Data);
    o.reset();
  }
}
void cleared(int n) {
  std::vector<Cleared> v;
  for (int i = 0; i < n; ++i) {
    v.emplace_back(given());
    step<<<1, 1>>>(v[0].Data);
    v.clear();
  }
}
void erased(int n) {
  std::map<int, Erased> m;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m.emplace(i, given()).first->second.Data);
    m.erase(i);
  }
}
void popped(int n) {
  std::vector<Popped> v;
  for (int i = 0; i < n; ++i) {
    v.emplace_back(given());
    step<<<1, 1>>>(v.back().Data);
    v.pop_back();
  }
}
void temporary(int n) {
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(Temporary(given()).Data);
}
void exchanged(float *x, int n) {
  Exchanged a(x);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(a.Data);
    std::exchange(a, Exchanged(given()));
  }
}
void made(int n) {
  for (int i = 0; i < n; ++i) {
    auto p = std::make_unique<Made>(given());
    step<<<1, 1>>>(p->Data);
  }
}

// Deleters.
struct ByReset {
  void operator()(float *p) const { cudaFree(p); } // expect: autoprof-memory-free-in-destructor medium
};
struct ByAssignment {
  void operator()(float *p) const { cudaFree(p); } // expect: autoprof-memory-free-in-destructor medium
};
void deleters(int n) {
  std::unique_ptr<float, ByReset> p;
  std::unique_ptr<float, ByAssignment> q;
  for (int i = 0; i < n; ++i) {
    p.reset(given());
    q = std::unique_ptr<float, ByAssignment>(given());
    step<<<1, 1>>>(p.get());
    step<<<1, 1>>>(q.get());
  }
  for (int i = 0; i < n; ++i) {
    std::shared_ptr<float> s(given(), [](float *d) {
      cudaFree(d); // expect: autoprof-memory-free-in-destructor medium
    });
    step<<<1, 1>>>(s.get());
  }
}

// Kept to the end.
struct Kept {
  float *Data;
  ~Kept() { cudaFree(Data); }
};
void kept(float *x, int n) {
  std::vector<Kept> all(1);
  auto owner = std::make_unique<Kept>();
  for (int i = 0; i < n; ++i) {
    Kept &same = all.front();
    std::unique_ptr<Kept> *held = &owner;
    step<<<1, 1>>>(same.Data);
    step<<<1, 1>>>((*held)->Data);
  }
}

// A constructor that resizes its own members destroys nothing.
struct Sized {
  float *Data = nullptr;
  ~Sized() { cudaFree(Data); }
};
struct Layer {
  std::vector<Sized> Parts;
  explicit Layer(int n) {
    Parts.resize(n);
    for (Sized &s : Parts)
      s.Data = given();
  }
};
void constructed(int n) {
  std::vector<Layer *> layers;
  for (int i = 0; i < n; ++i) {
    layers.push_back(new Layer(n));
    step<<<1, 1>>>(layers.back()->Parts[0].Data);
  }
}

// Freeing a null pointer does nothing: whether it is asked for does not matter.
class Released {
  float *P = nullptr;
  void release() {
    if (P)
      cudaFree(P); // expect: autoprof-memory-alloc-in-loop high
    P = nullptr;
  }

public:
  explicit Released(int n) { cudaMalloc(&P, n); } // expect: autoprof-memory-alloc-in-loop low
  ~Released() { release(); }
  Released &operator=(Released &&O) {
    release();
    P = O.P;
    O.P = nullptr;
    return *this;
  }
  float *get() const { return P; }
};
struct Scene {
  Released Lights{1};
  void rebuild(int n) { Lights = Released(n); }
};
void scenes(int n) {
  Scene s;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(s.Lights.get());
    s.rebuild(i);
  }
}

// A pool that is seldom emptied does not wait for what comes before.
struct Pool {
  size_t Cached = 0, Limit = 1 << 30;
  float *Last = nullptr;
  void release(float *p, size_t n) {
    bool over = false;
    Cached += n;
    over = Cached > Limit;
    Last = p;
    if (over)
      cudaFree(Last);
  }
};
Pool ThePool;
struct Pooled {
  float *P;
  ~Pooled() { ThePool.release(P, 4); }
};
void pooled(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    { Pooled p{x}; }
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
}
