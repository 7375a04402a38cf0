// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust, CUB and libcu++: algorithms that run on the GPU, elements of device
// vectors, and vectors that are made and destroyed where no call is written.
// Without a GPU they throw: probes end all the same.
// RUN: %check_rewrite --run --clang-flag=--cuda-host-only --std=c++17
#include <cub/device/device_reduce.cuh>
#include <cuda/stream_ref>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>
#include <iostream>
#include <vector>

struct Negate {
  __host__ __device__ float operator()(float x) const { return -x; }
};

float algorithms(thrust::device_vector<float> &v, float *raw, int n) {AP_RANGE(0xaa39c83abcb0de87)
  AP_SITE(0x2a751738cb3d44d2) thrust::fill(v.begin(), v.end(), 1.f);
  AP_SITE(0x2a751838cb3d4685) thrust::fill(thrust::device, raw, raw + n, 1.f);
  AP_SITE(0xe8c7e209a47364ed) thrust::transform(thrust::cuda::par_nosync.on(cudaStreamPerThread), v.begin(), v.end(), v.begin(), Negate());
  using namespace thrust;
  return (AP_SITE(0xc28fe016e7c392bd) reduce(v.begin(), v.end())) + (AP_SITE(0x875fd2ed3eaeae04) thrust::transform_reduce(v.begin(), v.end(), Negate(), 0.f, thrust::plus<float>()));
}

float on_the_host(int n) {
  thrust::host_vector<float> h(4, 2.f);
  std::vector<float> s(4, 3.f);
  float raw[2] = {5, 4};
  thrust::sort(h.begin(), h.end());
  thrust::sort(thrust::host, raw, raw + 2);
  thrust::transform(s.begin(), s.end(), s.begin(), Negate());
  thrust::copy(s.begin(), s.end(), h.begin());
  return h[0] + raw[0] + thrust::reduce(s.begin(), s.end()) + n;
}

float elements(thrust::device_vector<float> &v, const thrust::device_vector<float> &c) {AP_RANGE(0xf43a648d88f3e5d6)
  float x = (AP_SITE(0xa0de30813fd175d6) v[0]);
  AP_SITE(0xa0de31813fd17789) v[1] = x;
  AP_SITE(0xa0de2e813fd17270) v[2] += (AP_SITE(0xa0de2f813fd17423) c[0]);
  (AP_SITE(0xa0de34813fd17ca2) (AP_SITE(0xa0de35813fd17e55) std::cout << v[0]) << v[1]) << "\n";
  if ((AP_SITE(0xa92f945c5e2c2081) v.front()) > 2 && (AP_SITE(0x91ccf707adef46f5) v.back()) < (AP_SITE(0xd04fbc8ee2cd1044) *v.begin()))
    x = (AP_SITE(0xa0de32813fd1793c) v[2]);
  auto reference = v[3];
  x += (AP_SITE(0xd04fbd8ee2cd11f7) reference);
  auto pointer = &v[0];
  float list[] = {(AP_SITE(0xa0de33813fd17aef) v[0]), (AP_SITE(0xa0de38813fd1836e) c[1])};
  return x + list[0] + (pointer == &v[0]);
}

template <class T> T dependent(thrust::device_vector<T> &v, int n) {AP_RANGE(0x3ee4fa33b8fa1b14)
  AP_OBJECT(0x5fd8a81d47c0c292) AP_OBJECT(0x5fd8a91d47c0c445) AP_OBJECT(0x5fd8a61d47c0bf2c) AP_SITE_BEGIN(0x15496a1f4a360118) AP_SITE_BEGIN(0x15496b1f4a3602cb) thrust::device_vector<T> copy(v), filled{T(1), T(2)}, empty; AP_SITE_END(0x15496b1f4a3602cb) AP_SITE_END(0x15496a1f4a360118) AP_OBJECT_END(0x5fd8a61d47c0bf2c) AP_OBJECT_END(0x5fd8a91d47c0c445) AP_OBJECT_END(0x5fd8a81d47c0c292)
  AP_SITE(0x8a0c7452d5ca8514) empty.resize(n);
  AP_SITE(0x6bbb402c8a572765) thrust::fill(copy.begin(), copy.end(), T(2));
  return AP_SITE(0x347697aca112bb82) thrust::reduce(copy.begin(), copy.end());
}

thrust::device_vector<float> made(int n) {AP_RANGE(0x65315e5ee29ebe02)
  AP_OBJECT(0x71a66d5b59a0fed0) AP_SITE_BEGIN(0x706a20819669602e) thrust::device_vector<float> v(n, 1.f); AP_SITE_END(0x706a20819669602e) AP_OBJECT_END(0x71a66d5b59a0fed0)
  return v;
}
void takes(thrust::device_vector<float>) {}

struct Layer {
  thrust::device_vector<float> weights, bias = (AP_SITE(0xd5fca0f261b0fa80) thrust::device_vector<float>(3)), other{4};
  explicit Layer(int n) : weights((AP_SITE(0xb893734238029365) n)) {}
  Layer(const thrust::device_vector<float> &from, int) : weights((AP_SITE(0xb369e734d520cf96) from)), bias{1, 2} {}
  Layer(const float *begin, const float *end) : weights(begin, end) {}
};

int objects(int n) {AP_RANGE(0x7e57226ab655edc9)
  AP_OBJECT(0xa7a2a27a84d31325) AP_OBJECT(0xa7a2a17a84d31172) AP_OBJECT(0xa7a2a07a84d30fbf) AP_SITE_BEGIN(0x0cc0dee8019a6711) thrust::device_vector<float> v(n), moved(std::move(v)), from_call = made(n); AP_SITE_END(0x0cc0dee8019a6711) AP_OBJECT_END(0xa7a2a07a84d30fbf) AP_OBJECT_END(0xa7a2a17a84d31172) AP_OBJECT_END(0xa7a2a27a84d31325)
  AP_SITE_BEGIN(0x2f61aaf67f190d21) thrust::host_vector<float> h = v; AP_SITE_END(0x2f61aaf67f190d21)
  AP_SITE(0xc6cfaa29e685498a) v = h;
  takes((AP_SITE(0x0cc0dde8019a655e) v));
  takes(std::move(v));
  takes((AP_SITE(0x0cc0dce8019a63ab) thrust::device_vector<float>(n)));
  switch (n) {
  case 1: {
    AP_OBJECT(0xa7a29f7a84d30e0c) Layer layer(n); AP_OBJECT_END(0xa7a29f7a84d30e0c)
    break;
  }
  default:
    auto *p = (AP_SITE(0x0cc0dbe8019a61f8) new thrust::device_vector<float>(n));
    AP_SITE(0xa7a29e7a84d30c59) delete p;
  }
  for (thrust::device_vector<float> w(n); n > 0; --n)
    {AP_RANGE(0x45850ea7a603d21b) AP_SITE(0x318e9a578dc8395b) w.push_back(1);}
  static thrust::device_vector<float> forever(4);
  return int(v.size());
}

void launches(float *in, float *out, void *memory, size_t bytes, cudaStream_t stream) {AP_RANGE(0x760cff3ac9e17f0f)
  AP_SITE(0x5d8b844f65178590) cub::DeviceReduce::Sum(memory, bytes, in, out, 4, stream);
  cuda::stream_ref ref(stream);
  AP_SITE(0x9e1a55b848683105) ref.wait();
  (void)ref.ready();
}

template <class F> void try_to(const char *what, F f) {
  try {
    f();
    std::printf("%s: done\n", what);
  } catch (const std::exception &) {
    std::printf("%s: no device\n", what);
  }
}

int main() {AP_RANGE(0x34e211bb476a3557)
  AP_OBJECT(0x0213918e44ba0a8b) thrust::device_vector<float> v; AP_OBJECT_END(0x0213918e44ba0a8b)
  try_to("algorithms", [&] { algorithms(v, nullptr, 1); });
  try_to("elements", [&] { elements(v, v); });
  try_to("dependent", [&] { dependent(v, 3); });
  try_to("objects", [&] { objects(1); });
  try_to("layers", [&] { AP_OBJECT(0x0213908e44ba08d8) Layer layer(v, 1); AP_OBJECT_END(0x0213908e44ba08d8) });
  try_to("launches", [&] { launches(nullptr, nullptr, nullptr, 0, nullptr); });
  std::printf("%g\n", on_the_host(1));
}
AP_TABLE("0xaa39c83abcb0de87|function|26|7|thrust.cu|algorithms|;0x2a751738cb3d44d2|launch|27|3|thrust.cu|algorithms|thrust::fill;0x2a751838cb3d4685|launch|28|3|thrust.cu|algorithms|thrust::fill;0xe8c7e209a47364ed|launch|29|3|thrust.cu|algorithms|thrust::transform;0xc28fe016e7c392bd|launch|31|10|thrust.cu|algorithms|thrust::reduce;0x875fd2ed3eaeae04|launch|31|39|thrust.cu|algorithms|thrust::transform_reduce;0xf43a648d88f3e5d6|function|45|7|thrust.cu|elements|;0xa0de30813fd175d6|copy|46|13|thrust.cu|elements|thrust::device_vector::operator[];0xa0de31813fd17789|copy|47|8|thrust.cu|elements|thrust::device_vector::operator[];0xa0de2e813fd17270|copy|48|8|thrust.cu|elements|thrust::device_vector::operator[];0xa0de2f813fd17423|copy|48|11|thrust.cu|elements|thrust::device_vector::operator[];0xa0de35813fd17e55|copy|49|13|thrust.cu|elements|thrust::device_vector::operator[];0xa0de34813fd17ca2|copy|49|21|thrust.cu|elements|thrust::device_vector::operator[];0xa92f945c5e2c2081|copy|50|7|thrust.cu|elements|thrust::device_vector::front;0x91ccf707adef46f5|copy|50|24|thrust.cu|elements|thrust::device_vector::back;0xd04fbc8ee2cd1044|copy|50|35|thrust.cu|elements|thrust::device_reference::operator value_type;0xa0de32813fd1793c|copy|51|9|thrust.cu|elements|thrust::device_vector::operator[];0xd04fbd8ee2cd11f7|copy|53|8|thrust.cu|elements|thrust::device_reference::operator value_type;0xa0de33813fd17aef|copy|55|19|thrust.cu|elements|thrust::device_vector::operator[];0xa0de38813fd1836e|copy|55|25|thrust.cu|elements|thrust::device_vector::operator[];0x3ee4fa33b8fa1b14|function|59|22|thrust.cu|dependent|;0x15496a1f4a360118|alloc|60|28|thrust.cu|dependent|thrust::device_vector::device_vector;0x5fd8a81d47c0c292|free|60|28|thrust.cu|dependent|thrust::device_vector::~device_vector;0x15496b1f4a3602cb|alloc|60|37|thrust.cu|dependent|thrust::device_vector::device_vector;0x5fd8a91d47c0c445|free|60|37|thrust.cu|dependent|thrust::device_vector::~device_vector;0x5fd8a61d47c0bf2c|free|60|57|thrust.cu|dependent|thrust::device_vector::~device_vector;0x8a0c7452d5ca8514|alloc|61|9|thrust.cu|dependent|thrust::device_vector::resize;0x6bbb402c8a572765|launch|62|3|thrust.cu|dependent|thrust::fill;0x347697aca112bb82|launch|63|10|thrust.cu|dependent|thrust::reduce;0x65315e5ee29ebe02|function|66|30|thrust.cu|made|;0x706a20819669602e|alloc|67|32|thrust.cu|made|thrust::device_vector::device_vector;0x71a66d5b59a0fed0|free|67|32|thrust.cu|made|thrust::device_vector::~device_vector;0xd5fca0f261b0fa80|alloc|73|48|thrust.cu|Layer|thrust::device_vector::device_vector;0xb893734238029365|alloc|74|27|thrust.cu|Layer::Layer|thrust::device_vector::device_vector;0xb369e734d520cf96|alloc|75|58|thrust.cu|Layer::Layer|thrust::device_vector::device_vector;0x7e57226ab655edc9|function|79|5|thrust.cu|objects|;0x0cc0dee8019a6711|alloc|80|32|thrust.cu|objects|thrust::device_vector::device_vector;0xa7a2a27a84d31325|free|80|32|thrust.cu|objects|thrust::device_vector::~device_vector;0xa7a2a17a84d31172|free|80|38|thrust.cu|objects|thrust::device_vector::~device_vector;0xa7a2a07a84d30fbf|free|80|59|thrust.cu|objects|thrust::device_vector::~device_vector;0x2f61aaf67f190d21|copy|81|30|thrust.cu|objects|thrust::host_vector::host_vector;0xc6cfaa29e685498a|copy|82|5|thrust.cu|objects|thrust::device_vector::operator=;0x0cc0dde8019a655e|alloc|83|9|thrust.cu|objects|thrust::device_vector::device_vector;0x0cc0dce8019a63ab|alloc|85|9|thrust.cu|objects|thrust::device_vector::device_vector;0xa7a29f7a84d30e0c|free|88|11|thrust.cu|objects|thrust::device_vector::~device_vector;0x0cc0dbe8019a61f8|alloc|92|19|thrust.cu|objects|thrust::device_vector::device_vector;0xa7a29e7a84d30c59|free|93|5|thrust.cu|objects|thrust::device_vector::~device_vector;0x45850ea7a603d21b|loop|95|3|thrust.cu|objects|;0x318e9a578dc8395b|copy|96|7|thrust.cu|objects|thrust::device_vector::push_back;0x760cff3ac9e17f0f|function|101|6|thrust.cu|launches|;0x5d8b844f65178590|launch|102|3|thrust.cu|launches|cub::DeviceReduce::Sum;0x9e1a55b848683105|other|104|7|thrust.cu|launches|cuda::stream_ref::wait;0x34e211bb476a3557|function|117|5|thrust.cu|main|;0x0213918e44ba0a8b|free|118|32|thrust.cu|main|thrust::device_vector::~device_vector;0x0213908e44ba08d8|free|123|32|thrust.cu|main|thrust::device_vector::~device_vector;")
