// Two objects of one class have streams of their own: a wait for one says
// nothing of the other. What a getter returns is the stream of its object.
// RUN: %check_rules

__global__ void step(float *x);

struct Two {
  cudaStream_t S;
  Two() { cudaStreamCreate(&S); }
  void run(float *x) { step<<<1, 1, 0, S>>>(x); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-in-loop high
};
void both(float *x, int n) {
  Two a, b;
  for (int i = 0; i < n; ++i) {
    a.run(x);
    b.run(x + 1);
    a.sync();
    b.sync(); // expect: same
  }
}

struct One {
  cudaStream_t S;
  One() { cudaStreamCreate(&S); }
  void run(float *x) { step<<<1, 1, 0, S>>>(x); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-in-loop high; autoprof-sync-repeated low
};
void twice(float *x, int n) {
  One a;
  for (int i = 0; i < n; ++i) {
    a.run(x);
    a.sync();
    a.sync();
  }
}

// Members of one object, and members of these.
class Getter {
  cudaStream_t S = nullptr;

public:
  Getter() { cudaStreamCreate(&S); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-repeated low; message: because its memory is pageable
  cudaStream_t get() const { return S; }
  operator cudaStream_t() const { return S; }
};
struct Worker {
  Getter Compute;
  void run(float *x, float *result) {
    float host;
    step<<<1, 1, 0, Compute>>>(x);
    cudaMemcpyAsync(&host, x, 4, cudaMemcpyDeviceToHost, Compute.get()); // expect: autoprof-copy-async-pageable high
    Compute.sync();
    *result += host;
  }
};
void work(float *x, float *result, int n) {
  Worker w;
  for (int i = 0; i < n; ++i)
    w.run(x, result);
}

// Which of several objects an iteration means is not known.
struct Any {
  cudaStream_t S;
  void run(float *x) { step<<<1, 1, 0, S>>>(x); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-in-loop; no advice: remove
};
void each(Any *all, int count, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < count; ++j)
      all[j].run(x);
    for (int j = 0; j < count; ++j)
      all[j].sync();
  }
}

// A function may return another object each time.
struct Next {
  cudaStream_t S;
  void run(float *x) { step<<<1, 1, 0, S>>>(x); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-in-loop; no advice: remove
};
Next &next() {
  static Next all[2];
  static int i = 0;
  return all[i++ % 2];
}
void alternate(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    next().run(x);
    next().run(x);
    next().sync();
    next().sync(); // expect: same
  }
}

// The only object of its class.
struct Context {
  cudaStream_t S;
  static Context &get() {
    static Context c;
    return c;
  }
  void run(float *x) { step<<<1, 1, 0, S>>>(x); }
  void sync() const { cudaStreamSynchronize(S); } // expect: autoprof-sync-in-loop high; autoprof-sync-repeated low
};
void only(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    Context::get().run(x);
    Context::get().sync();
    Context::get().sync();
  }
}
