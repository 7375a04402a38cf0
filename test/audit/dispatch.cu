// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object has one class, a function that is passed is the one that is called,
// and loops over devices are found where the device is an element of a list.
// RUN: %check_rules
#include <functional>
#include <thread>
#include <vector>

__global__ void step(float *x) { *x += 1; }

struct Objective {
  virtual ~Objective() = default;
  virtual void prepare(float *x) { step<<<1, 1>>>(x); }
  virtual void gradients(float *x) { // Calls a member of its own object.
    step<<<1, 1>>>(x);
    prepare(x);
  }
};
struct Host : Objective {
  void prepare(float *x) override {
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium; message: if this calls Objective::gradients
  }
};
// Its prepare() is never reached through Objective::gradients.
struct Device : Objective {
  void prepare(float *x) override {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
  void gradients(float *x) override { step<<<1, 1>>>(x); }
};
void train(Objective &o, float *x, int n) {
  for (int i = 0; i < n; ++i)
    o.gradients(x);
}
void make(float *x) {
  Host h;
  Device d;
  train(h, x, 10000);
  train(d, x, 10000);
}

// Two choices on the way: few programs make both.
struct Metric {
  virtual ~Metric() = default;
  virtual void eval(float *x) { step<<<1, 1>>>(x); }
};
struct Slow : Metric {
  void eval(float *x) override {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
};
struct Strategy {
  virtual ~Strategy() = default;
  virtual void run(Metric &, float *x) { step<<<1, 1>>>(x); }
};
struct Measured : Strategy {
  void run(Metric &m, float *x) override { m.eval(x); }
};
void strategies(Strategy &s, Metric &m, float *x, int n) {
  for (int i = 0; i < n; ++i)
    s.run(m, x);
}
// So is what the loop's own object chooses, if the path to the loop chose none.
struct Booster {
  virtual ~Booster() = default;
  virtual void train(Metric &m, float *x, int n) {
    for (int i = 0; i < n; ++i)
      boost(m, x);
  }
  virtual void boost(Metric &, float *x) { step<<<1, 1>>>(x); }
};
struct Forest : Booster {
  void boost(Metric &m, float *x) override { m.eval(x); }
};
void boosters(Booster &b, Metric &m, float *x, int n) { b.train(m, x, n); }

// The loop over devices belongs to the iteration of the loop that calls it, and
// runs what that loop gave it.
struct Devices {
  std::vector<int> Numbers;
  std::vector<float *> Data;
  void each(const std::function<void(float *)> &f) {
    for (size_t i = 0; i < Numbers.size(); ++i) {
      cudaSetDevice(Numbers[i]);
      f(Data[i]);
    }
  }
};
void setUp(Devices &all) {
  all.each([](float *x) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  });
}
void steps(Devices &all, float *h, int n) {
  for (int i = 0; i < n; ++i)
    all.each([h](float *x) {
      step<<<1, 1>>>(x);
      cudaMemcpy(h, x, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; message: of the loop at dispatch.cu:98
    });
}

// A function pointer, passed on.
static void apply(void (*f)(float *), float *x) { f(x); }
static void applyTwice(void (*f)(float *), float *x) {
  apply(f, x);
  apply(f, x);
}
static void runs(float *x) { step<<<1, 1>>>(x); }
static void waits(float *x) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
void pointers(float *x, int n) {
  applyTwice(waits, x);
  for (int i = 0; i < n; ++i)
    applyTwice(runs, x);
}

// Another thread's wait does not hold up this one, and what it queues is not
// complete.
void threads(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    std::thread other([x] {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize();
    });
    other.join();
    cudaDeviceSynchronize(); // expect: same
    std::vector<std::thread> more;
    more.emplace_back([x] { cudaDeviceSynchronize(); });
    more.back().join();
  }
}

// Objects of other classes may be made in code that is not read.
struct Unseen {
  virtual void prepare() = 0;
  virtual void advance(float *x) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  void run(float *x, int n) {
    for (int i = 0; i < n; ++i)
      advance(x);
  }
};
void runs(Unseen &u, float *x, int n) { u.run(x, n); }

// Each class is followed through a function that both share.
struct Shared {
  virtual void start(float *x, int n) = 0;
  virtual void advance(float *x) = 0;
  void run(float *x, int n) {
    for (int i = 0; i < n; ++i)
      advance(x);
  }
};
struct First : Shared {
  void start(float *x, int n) override { run(x, n); }
  void advance(float *x) override { step<<<1, 1>>>(x); }
};
struct Second : Shared {
  void start(float *x, int n) override { run(x, n); }
  void advance(float *x) override {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
};
void shares(Shared *s, float *x, int n) { s->start(x, n); }
void makes(float *x, int n) {
  First f;
  Second g;
  shares(&f, x, n);
  shares(&g, x, n);
}

// A parameter that the function assigns is not what the caller passed.
void wrapped(std::function<void()> f, float *x, int n) {
  f = [x] {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  };
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    f();
  }
}
void wraps(float *x, int n) {
  wrapped([x] { step<<<1, 1>>>(x); }, x, n);
}

// What is called by a pointer to a class is the function of that class or of
// one derived from it, also in the members that it inherits.
namespace derived {
struct Layer {
  virtual ~Layer() = default;
  void backward(float *x) { backwardGpu(x); }
  virtual void backwardGpu(float *x) = 0;
};
struct Flat : Layer {
  void backwardGpu(float *x) override { step<<<1, 1>>>(x); }
};
struct Norm : Layer {
  void backwardGpu(float *x) override {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
};
void flatten(Flat *layer, float *x, int n) {
  for (int i = 0; i < n; ++i)
    layer->backward(x);
}
} // namespace derived

// Which of several functions is called does not matter if all reach the wait.
namespace all {
struct Learner {
  virtual ~Learner() = default;
  virtual void train(float *) {}
};
struct OnDevice : Learner {
  void train(float *x) override {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
};
struct OnDevices : Learner {
  void train(float *x) override { step<<<2, 1>>>(x); }
};
struct Booster {
  Learner *learner;
  virtual ~Booster() = default;
  virtual void boost(float *x) {
    step<<<1, 1>>>(x);
    learner->train(x);
  }
};
struct Dropout : Booster {
  void boost(float *x) override {
    step<<<1, 1>>>(x);
    Booster::boost(x);
  }
};
struct Forest : Booster {
  void boost(float *x) override { learner->train(x); }
};
void boosters(Booster &b, float *x, int n) {
  for (int i = 0; i < n; ++i)
    b.boost(x);
}
} // namespace all
