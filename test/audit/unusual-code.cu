// Code of unusual shape, above all templates that nobody instantiates: it is
// read like any other, and nothing in it is an obstacle.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -std=c++20 -fsyntax-only -- %s
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

__global__ void step(float *x) { *x += 1; }

// Members that are initialised with a list, in constructors that are not used.
template <typename T> struct Task {
  unsigned Size;
  T *Data, *Other = nullptr;
  std::vector<T> Host;
  cudaStream_t Stream = 0;
  T Few[3] = {};
  Task() : Size(0), Data(NULL), Host(), Stream(0) {}
  Task(unsigned s, std::vector<T> h)
      : Size{s}, Data{nullptr}, Host(s, T(1)), Stream{} {
    cudaMallocManaged(&Data, s * sizeof(T));
  }
  explicit Task(T *d) : Task(1, {}) { Data = d; }
  template <typename... Args> void call(Args &&...args) {
    (cudaFree(args), ...);
    std::initializer_list<int>{(cudaFree(args), 0)...};
    auto t = std::make_tuple(args...);
    auto [a, b] = std::make_pair(1, 2);
    step<<<a, b, 0, Stream>>>(Data, args...);
    T local(Data[0]), braced{T(2)}, list = {};
    T *made = new T[Size](), *placed = new (Data) T(local);
    delete[] made;
    placed->~T();
    this->Other = static_cast<Task *>(this)->Data + (b, a);
    typename T::type value(local, braced);
    value.template get<0>();
  }
};
template <typename T> struct Task<T *> : Task<T> {
  using Task<T>::Task;
  void run() { this->call(this->Data, Task<T>::Other); }
};
int use() { return sizeof(Task<double>) + alignof(Task<float *>); }

template <auto N, template <class> class C, class... Ts>
requires(N > 0) auto many(C<Ts>... all) -> decltype(auto) {
  if constexpr (sizeof...(all) > 1)
    return many<N - 1>(all...);
  else if constexpr (requires { (all.size(), ...); })
    return (all.size() + ...);
  else
    return noexcept(cudaDeviceSynchronize()) ? N : 0;
}

// Lambdas in lambdas, as default arguments, generic, called at once.
void lambdas(float *x, int n, std::function<void()> after = [] {}) {
  auto outer = [&, m = n + 1](auto &&inner, auto... rest) mutable {
    return [=, &inner]<class T>(T t) { return inner(t, m, rest...); };
  };
  outer([](auto... all) { return (all + ... + 0); }, 1, 2)(3);
  for (int i = 0; i < n; ++i)
    [&] {
      step<<<1, 1>>>(x);
      [] { cudaDeviceSynchronize(); }(); // expect: autoprof-sync-in-loop high
    }();
  after();
}

// Control flow.
int flow(float *x, int n) {
  static int calls = n;
  int many[n > 0 ? n : 1];
  void *targets[] = {&&one, &&two};
  goto *targets[n % 2];
one:
  switch (n) {
    for (; n > 0;) {
    case 3 ... 5:
      step<<<1, 1>>>(x);
      [[fallthrough]];
    default:
      --n;
    }
  }
two:
  try {
    many[0] = ({
      int t = n;
      t ? t : throw t;
    });
  } catch (const int &e) {
    return e ?: 1;
  } catch (...) {
  }
  if (int y = n; auto *p = x)
    *p = y;
  while (cudaError_t e = cudaGetLastError())
    if (e)
      break;
  do
    ;
  while (0);
  for (;;)
    return calls;
}

// Types.
struct Bits {
  unsigned a : 3, : 0, b : 5;
  union {
    float *p;
    long l;
  };
  int Bits::*member = nullptr;
  void (Bits::*method)(float *) = &Bits::run;
  void run(float *x) {
    (this->*method)(x);
    this->*member = 1;
    step<<<1, 1>>>(p = x);
  }
  operator float *() const volatile { return nullptr; }
  virtual void pure() = 0;
  virtual ~Bits() = default;
};
void types(Bits &bits, float (*grid)[4], float (&row)[4], _Complex float z) {
  int (*function)(float *, int) = &flow;
  function(row, (int)__real__ z);
  (*function)(grid[0], int{3});
  float *p = bits, all[] = {[0] = 1, [1] = 2};
  asm volatile("" : "+r"(p) : : "memory");
  step<<<dim3{1, 2}, dim3{32}, sizeof(all)>>>(reinterpret_cast<float *>(&all));
}
