// One element of a device_vector in a loop.
// RUN: %check_rules
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <vector>

__global__ void step(float *x) { *x += 1; }

float reads(thrust::device_vector<float> &v, int n) {
  float sum = v[0]; // once
  for (int i = 0; i < n; ++i)
    sum += v[i];
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(thrust::raw_pointer_cast(&v[i])); // only its address
    sum += v[i]; // expect: autoprof-thrust-waits high
    sum += v.front(); // expect: same
    sum += *v.begin(); // expect: same
  }
  return sum + v.back();
}

void writes(thrust::device_vector<float> &v, int n) {
  v[0] = 1;
  for (int i = 0; i < n; ++i)
    v[i] = i;
}

// What an algorithm found is one element: there is no range to copy.
float found(thrust::device_vector<float> &v, thrust::device_ptr<float> p, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(p.get());
    sum += *thrust::max_element(v.begin(), v.end()); // expect: autoprof-thrust-waits low; autoprof-thrust-waits high
    auto least = thrust::min_element(v.begin(), v.end()); // expect: same
    sum += *least; // expect: same
    sum += *p; // expect: same
    auto first = v.begin();
    sum += *first; // expect: same
  }
  return sum;
}

// Elements of the host, addresses, and loops that hardly loop.
float quiet(thrust::device_vector<float> &v, thrust::host_vector<float> &h,
            std::vector<float> &w, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += h[i];
    sum += w[i];
    h[i] = sum;
    float *p = thrust::raw_pointer_cast(&v[i]);
    float *q = thrust::raw_pointer_cast(v.data()) + i;
    thrust::device_ptr<float> d = &v[i];
    step<<<1, 1>>>(p);
    step<<<1, 1>>>(q);
    step<<<1, 1>>>(d.get());
  }
  for (int i = 0; i < 3; ++i)
    sum += v[i];
  for (int i = 0; i < n; ++i)
    if (i == 0)
      sum += v[i];
  return sum + h.size() + v.size();
}
