// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nearly all of this file's compilation is Thrust and CUB.
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdio>

template <typename T> double work(int N) {
  thrust::device_vector<T> X(N), Keys(N);
  thrust::sequence(X.begin(), X.end());
  thrust::transform(X.begin(), X.end(), Keys.begin(), thrust::negate<T>());
  double Sum = 0;
  for (int Step = 0; Step < 10; ++Step) {
    thrust::sort_by_key(Keys.begin(), Keys.end(), X.begin());
    thrust::inclusive_scan(X.begin(), X.end(), X.begin());
    Sum += static_cast<double>(thrust::reduce(X.begin(), X.end()));
    Sum += static_cast<double>(
        thrust::inner_product(X.begin(), X.end(), Keys.begin(), T(0)));
  }
  return Sum +
         static_cast<double>(thrust::unique(X.begin(), X.end()) - X.begin());
}

int main() { std::printf("%g %g\n", work<int>(1 << 20), work<float>(1 << 20)); }
