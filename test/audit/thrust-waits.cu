// A Thrust algorithm in a launching loop with a policy that waits.
// RUN: %check_rules
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

__global__ void step(float *x) { *x += 1; }
struct Twice {
  template <typename T> __host__ __device__ void operator()(T &&) const {}
};

void policies(thrust::device_vector<float> &v, cudaStream_t s, int n) {
  thrust::sort(v.begin(), v.end()); // once
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(thrust::raw_pointer_cast(v.data()));
    thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits high
    thrust::sort(thrust::device, v.begin(), v.end()); // expect: autoprof-thrust-waits high
    thrust::sort(thrust::cuda::par, v.begin(), v.end()); // expect: autoprof-thrust-waits
    thrust::sort(thrust::cuda::par.on(s), v.begin(), v.end()); // expect: autoprof-thrust-waits
    thrust::sort(thrust::cuda::par_nosync, v.begin(), v.end());
    thrust::sort(thrust::cuda::par_nosync.on(s), v.begin(), v.end());
    auto quiet = thrust::cuda::par_nosync.on(s);
    thrust::inclusive_scan(quiet, v.begin(), v.end(), v.begin());
  }
}

// Iterators say where the work is done.
void iterators(thrust::device_vector<float> &v, thrust::host_vector<float> &h,
               float *raw, int n) {
  thrust::device_ptr<float> p(raw);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(raw);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(p)), // expect: autoprof-thrust-waits
                     thrust::make_zip_iterator(thrust::make_tuple(p + 1)), Twice());
    thrust::fill(p, p + 4, 0.f); // expect: autoprof-thrust-waits
    thrust::fill(h.begin(), h.end(), 0.f); // the CPU's work
    thrust::sort(h.begin(), h.end());
    thrust::sort(thrust::host, h.begin(), h.end());
    thrust::copy(h.begin(), h.end(), h.begin());
    thrust::copy(v.begin(), v.end(), h.begin()); // expect: autoprof-thrust-waits
  }
}

// Vectors that are filled or copied.
void vectors(const thrust::device_vector<float> &v, thrust::device_vector<float> &w,
             float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    thrust::device_vector<float> filled(16); // expect: autoprof-memory-alloc-in-loop high; same
    thrust::device_vector<float> sized(n); // expect: same
    thrust::device_vector<float> ones(n, 1.f); // expect: same
    thrust::device_vector<float> copied = v; // expect: same
    w = v; // expect: autoprof-thrust-waits; advice: swap with or move from another device_vector
    thrust::device_vector<float> moved = std::move(copied); // expect: autoprof-memory-free-in-destructor low
    moved.swap(w);
    moved.clear();
    thrust::host_vector<float> onHost(16);
    const size_t size = v.size() + w.capacity();
    (void)size;
  }
}

// Loops that do not launch, hardly loop, or are left.
void quiet(thrust::device_vector<float> &v, int n) {
  for (int i = 0; i < 2; ++i)
    thrust::sort(v.begin(), v.end());
  for (int i = 0; i < n; ++i)
    if (i == 0)
      thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits low
  for (int i = 0; i < n; ++i)
    if (v.size() > 3) {
      thrust::sort(v.begin(), v.end());
      break;
    }
}

// Between the host and the device, nothing can be swapped; between vectors of
// the host, nothing waits.
void assigned(thrust::device_vector<float> &v, thrust::host_vector<float> &h,
              thrust::host_vector<float> &other, std::vector<float> &plain, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    v = h; // expect: autoprof-thrust-waits high; advice: for data of the host, cudaMemcpyAsync from pinned memory
    h = v; // expect: same
    h = other;
    h = plain;
    other = thrust::host_vector<float>(16);
    h = {1.f, 2.f};
  }
}
// The same for vectors that are made in the loop.
void made(thrust::device_vector<float> &v, thrust::host_vector<float> &other,
          std::vector<float> &plain, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    thrust::host_vector<float> h(v); // expect: autoprof-thrust-waits high
    step<<<1, 1>>>(x);
    thrust::host_vector<float> copied = v; // expect: autoprof-thrust-waits high
    step<<<1, 1>>>(x);
    thrust::host_vector<float> range(v.begin(), v.end()); // expect: autoprof-thrust-waits high
    step<<<1, 1>>>(x);
    other = thrust::host_vector<float>(v); // expect: autoprof-thrust-waits high
    thrust::host_vector<float> own(other), ofStd(plain), sized(16), filled(16, 1.f), empty,
        list{1.f, 2.f}, part(other.begin(), other.end()), moved(std::move(own));
  }
}
template <typename T> struct Layer {
  thrust::device_vector<T> Weights;
  void print(T *x, int n) {
    for (int i = 0; i < n; ++i) {
      step<<<1, 1>>>(x);
      thrust::host_vector<T> h(Weights); // expect: autoprof-thrust-waits high
      thrust::host_vector<T> sized(16), filled(16, T(1));
    }
  }
};
template struct Layer<float>;
struct Weights : thrust::device_vector<float> {};
void assignedDerived(Weights &weights, thrust::host_vector<float> &h, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    h = weights; // expect: autoprof-thrust-waits high
  }
}

// What the host copies and sorts by itself needs the data at once.
void onHost(float *x, float *pinned, thrust::host_vector<float> &h,
            thrust::host_vector<float> &other, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: cudaStreamWaitEvent
    h = other;
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: cudaStreamWaitEvent
    thrust::sort(h.begin(), h.end());
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: cudaStreamWaitEvent
    thrust::copy(h.begin(), h.end(), other.begin());
  }
}

// Everything is on the default stream, and `&v[0]` is no work.
void oneStream(thrust::device_vector<float> &v, thrust::device_vector<float> &w, int n) {
  for (int i = 0; i < n; ++i) {
    thrust::inclusive_scan(v.begin(), v.end(), w.begin()); // expect: autoprof-thrust-waits high; advice: par_nosync; no advice: may be on another stream
    step<<<1, 1>>>(thrust::raw_pointer_cast(&w[0]));
    thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits; no advice: may be on another stream
    w[0] = 1; // expect: autoprof-thrust-waits
  }
}

// The iterator's type is not known to be one of a policy.
void zipped(thrust::device_ptr<float> a, thrust::device_ptr<float> b, int n) {
  for (int i = 0; i < n; ++i) {
    thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(a, b)), // expect: autoprof-thrust-waits; advice: the policy thrust::cuda::par_nosync
                 thrust::make_zip_iterator(thrust::make_tuple(a + n, b + n)));
    step<<<1, 1>>>(a.get());
  }
}

// The user's own function.
namespace mine {
template <typename I> void sort(I, I) {}
} // namespace mine
void similar(thrust::device_vector<float> &v, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    mine::sort(v.begin(), v.end());
  }
}

// In a template, and through calls.
template <typename T> void order(thrust::device_vector<T> &v) {
  thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits high
}
void calls(thrust::device_vector<float> &v, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    order(v);
  }
}

// The host waits next in any case, in a function that begins with a wait.
static void download(const thrust::device_vector<float> &v, float *h) {
  cudaMemcpy(h, v.data().get(), 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
}
static void launchAndDownload(const thrust::device_vector<float> &v, float *x, float *h) {
  step<<<1, 1>>>(x);
  cudaMemcpy(h, v.data().get(), 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
}
void waitsNext(thrust::device_vector<float> &v, float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits high
    download(v, h);
    thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-waits high
    launchAndDownload(v, x, h);
  }
}
