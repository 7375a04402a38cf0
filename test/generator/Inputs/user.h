// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every generated C++ program includes: code of the user, as far as the
// tools are concerned.
#ifndef USER_H
#define USER_H
#include <cuda_runtime.h>
#include <trace.h>

/// Shows when it is made, copied, moved and destroyed.
class Noisy {
  int Value;

public:
  Noisy(int Value = 7) : Value(Value & 1023) { trace(1000 + this->Value); }
  Noisy(const Noisy &Other) : Value(Other.Value) { trace(3000 + Value); }
  Noisy(Noisy &&Other) noexcept : Value(Other.Value) {
    Other.Value = 0;
    trace(5000 + Value);
  }
  Noisy &operator=(const Noisy &Other) {
    Value = Other.Value;
    trace(7000 + Value);
    return *this;
  }
  ~Noisy() { trace(9000 + Value); }
  int get() const { return trace(11000 + Value); }
  int &ref() { return Value; }
  Noisy &self() { return *this; }
  const Noisy &self(int) const { return *this; }
  Noisy copy() const { return *this; }
  Noisy *operator->() { return this; }
  int operator[](int Index) const { return trace(Value ^ Index); }
  int operator()(int A, int B) const { return trace(Value ^ A ^ (B << 1)); }
  explicit operator bool() const { return trace(13000 + Value) & 1; }
  Noisy operator+(const Noisy &Other) const {
    return Noisy((Value + Other.Value) & 1023);
  }
  const int *begin() const { return trace(15001), &Value; }
  const int *end() const { return trace(15002), &Value + 1; }
};

struct Pair {
  int First, Second;
};

/// A range that owns nothing, made of two numbers.
struct Counts {
  int From, To;
  struct Iterator {
    int At;
    int operator*() const { return trace(At); }
    Iterator &operator++() {
      ++At;
      return *this;
    }
    bool operator!=(const Iterator &Other) const { return At != Other.At; }
  };
  Iterator begin() const { return {From}; }
  Iterator end() const { return {To}; }
  ~Counts() { trace(17000 + To); }
};

/// What std::function does, for functions without arguments.
class Wrapper {
  struct Base {
    virtual ~Base() { trace(19001); }
    virtual int call() = 0;
  };
  template <class F> struct Held : Base {
    F Function;
    Held(F Function) : Function(Function) {}
    int call() override { return static_cast<int>(Function()); }
  };
  Base *Pointer;

public:
  template <class F> Wrapper(F Function) : Pointer(new Held<F>(Function)) {}
  Wrapper(const Wrapper &) = delete;
  Wrapper &operator=(const Wrapper &) = delete;
  ~Wrapper() { delete Pointer; }
  int operator()() const { return Pointer->call(); }
};

inline int number(cudaError_t Error) { return static_cast<int>(Error) & 1023; }
inline int both(int A, int B) { return trace((A ^ (B << 1)) & 1023); }
inline int &pick(int &A, int) { return A; }
inline int *point(int *Pointer, int) { return Pointer; }
inline int value(const Noisy &N) { return N.get(); }
inline int sink(Noisy N, int A) { return N.get() ^ A; }
inline Noisy make(int A) { return Noisy(A & 1023); }
inline Noisy named(int A) {
  Noisy Result(A & 511);
  Result.ref() ^= 1;
  return Result;
}
inline Pair pair(int A, int B) { return {A, B}; }
inline const Noisy &through(const Noisy &N) { return N; }
inline cudaError_t &kept(cudaError_t Error) {
  static cudaError_t Last;
  return Last = Error;
}
inline int byDefault(int A, cudaError_t Error = cudaDeviceSynchronize()) {
  return trace(A ^ number(Error));
}
inline void expect(cudaError_t Error, const char *Text) {
  trace_text(Text);
  if (Error != cudaSuccess)
    trace(number(Error));
}
template <class T> int apply(T &&Function) {
  return static_cast<int>(Function());
}
template <class... T> int ignore(const T &...) { return sizeof...(T); }
template <int N, class T> T offset(T Value) { return Value ^ N; }

#endif // USER_H
