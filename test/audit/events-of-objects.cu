// An event or a stream is known by the object that has it, also if a class
// wraps it and others return that.
// RUN: %check_rules
__global__ void step(float *x);

class Event {
  cudaEvent_t E;

public:
  Event() { cudaEventCreate(&E); }
  void record(cudaStream_t s) { cudaEventRecord(E, s); }
  void wait() const {
    cudaEventSynchronize(E); // expect: autoprof-sync-in-loop medium
  }
};
class Stream {
  cudaStream_t S;

public:
  Stream() { cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking); }
  operator cudaStream_t() const { return S; }
  void sync() const {
    cudaStreamSynchronize(S); // expect: autoprof-sync-in-loop high
  }
};
class Engine {
  Stream Work;
  Event Staged;

public:
  cudaStream_t stream() const { return Work; }
  // Reuses a buffer; what follows has waited for it in the last iteration.
  void stage(float *x) {
    Staged.wait();
    step<<<1, 1, 0, Work>>>(x);
    Staged.record(Work);
    step<<<1, 1, 0, Work>>>(x);
  }
  void finish() const { Work.sync(); }
};
class Sampler {
  Engine &Of;
  Event Done, Late;
  bool OnDevice;

public:
  Sampler(Engine &of, bool onDevice) : Of(of), OnDevice(onDevice) {}
  void collect(float *h, float *x) {
    step<<<1, 1, 0, Of.stream()>>>(x);
    if (OnDevice)
      Done.record(Of.stream());
    if (OnDevice)
      Done.wait();
    else
      cudaStreamSynchronize(Of.stream()); // expect: autoprof-sync-in-loop medium
    // Whichever it was.
    cudaStreamSynchronize(Of.stream()); // expect: autoprof-sync-repeated low
  }
  void collectSome(float *x) {
    step<<<1, 1, 0, Of.stream()>>>(x);
    if (OnDevice)
      cudaStreamSynchronize(Of.stream()); // expect: autoprof-sync-in-loop medium
    cudaStreamSynchronize(Of.stream()); // expect: autoprof-sync-in-loop high
  }
  // Bounds how far the host runs ahead.
  void lag(float *x) {
    Late.wait();
    step<<<1, 1, 0, Of.stream()>>>(x);
    Late.record(Of.stream());
  }
};

int main(int argc, char **argv) {
  Engine e;
  Sampler s(e, argc > 1);
  float *x, h[4];
  cudaMalloc(&x, 4);
  for (int i = 0; i < 1000; ++i) {
    e.stage(x);
    s.collect(h, x);
  }
  for (int i = 0; i < 1000; ++i) {
    e.stage(x);
    e.finish();
  }
  for (int i = 0; i < 1000; ++i)
    s.collectSome(x);
  for (int i = 0; i < 1000; ++i)
    s.lag(x);
}
