// One condition in several functions: what the loop keeps is the same in each.
// RUN: %check_rules
__global__ void step(float *x);

struct Net {
  bool OnGpu;
  float *Out, *OutGpu;
};
static void onHost(float *x) { x[0] *= 2; }

void forward(Net *n) {
  if (n->OnGpu) {
    step<<<1, 1>>>(n->OutGpu);
    cudaMemcpy(n->Out, n->OutGpu, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium; no advice: same-condition.cu:9
    return;
  }
  onHost(n->Out);
}
void backward(Net *n) {
  if (n->OnGpu) {
    step<<<1, 1>>>(n->OutGpu);
    return;
  }
  onHost(n->Out);
}
void train(Net *n, int steps) {
  for (int i = 0; i < steps; ++i) {
    forward(n);
    backward(n);
  }
}

// The wait under the same condition has waited for all.
bool verbose();
struct Mode {
  static bool Device;
  static bool isDevice() { return Device; }
};
void drained(float *h, float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    if (Mode::isDevice())
      step<<<1, 1>>>(d);
    if (Mode::isDevice())
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    h[0] += 1;
    if (!Mode::isDevice())
      step<<<1, 1>>>(d);
    else
      cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
}

// Two numbers that the loop keeps: what waits in one mode waits for none of the
// work of the other.
enum Device { Host, Gpu };
struct Machine {
  static Device mode() { return Current; }
  static Device Current;
};
void inModes(float *h, float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    switch (Machine::mode()) {
    case Host:
      cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
      break;
    case Gpu:
      step<<<1, 1>>>(d);
      break;
    }
    if (Machine::mode() == Gpu)
      cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
  }
}

// What holds around the loop holds in it, as long as it stays so.
struct Settings {
  int Predicts, Verbosity, Rounds;
};
void apply(const Settings &s, float *h, float *d) {
  step<<<1, 1>>>(d);
  if (s.Predicts == 1 && s.Verbosity >= 1)
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost);
}
void fit(const Settings &s, float *h, float *d, int steps) {
  if (s.Predicts == 0)
    for (int i = 0; i < steps; ++i)
      apply(s, h, d);
}
void shrinking(Settings *s, float *h, float *d, int steps) {
  if (s->Rounds == 0) {
    s->Rounds = 4;
    for (int i = 0; i < steps; ++i) {
      step<<<1, 1>>>(d);
      if (s->Rounds != 0)
        cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
    }
  }
}
// Not in a function that is also called without the condition.
static void both(const Settings &s, float *h, float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    if (s.Verbosity == 2)
      cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
  }
}
void callers(const Settings &s, float *h, float *d, int steps) {
  if (s.Verbosity == 1)
    both(s, h, d, steps);
  else
    both(s, h, d, steps);
}

// Each part of a condition counts.
void parts(const Settings &s, float *h, float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    if (s.Predicts == 1 && s.Verbosity > 1)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    else
      step<<<1, 1>>>(d);
    if (!(s.Predicts != 1 || s.Rounds))
      if (s.Predicts == 0)
        cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost);
  }
}

// A condition that asks for a field of two objects.
struct Tensor {
  bool OnGpu;
  float *Data, *Host;
};
static void assign(Tensor *to, const Tensor *from) {
  if (from->OnGpu && !to->OnGpu)
    cudaMemcpy(to->Host, from->Data, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium; message: in each iteration
}
void assigned(Tensor *to, const Tensor *from, int n) {
  for (int i = 0; i < n; ++i) {
    if (from->OnGpu)
      step<<<1, 1>>>(from->Data);
    assign(to, from);
  }
}
