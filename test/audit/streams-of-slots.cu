// Streams of objects that are not known may be one: no order of streams is
// advised.
// RUN: %check_rules
__global__ void step(float *x);
class Stream {
  cudaStream_t S;
public:
  Stream() { cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking); }
  operator cudaStream_t() const { return S; }
  void sync() const {
    cudaStreamSynchronize(S); // expect: autoprof-sync-in-loop high; no advice: Only the wait orders
  }
};
struct Slot { Stream Own; };
struct All {
  Slot Two[2];
  int Current = 0;
  Slot &next() { return Two[Current++ % 2]; }
  void locate(Slot &slot, float *x) {
    step<<<1, 1, 0, slot.Own>>>(x);
    slot.Own.sync();
  }
  void submit(float *x) {
    Slot &slot = next();
    locate(slot, x);
    step<<<1, 1, 0, slot.Own>>>(x);
  }
};
int main() {
  All a;
  float *x;
  cudaMalloc(&x, 4);
  for (int i = 0; i < 1000; ++i)
    a.submit(x);
}
