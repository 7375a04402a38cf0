// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's runtime API without a GPU: each call writes what it was asked for, and
// returns what the number of the call makes of it, so that a program that does
// the same twice prints the same twice. Also trace.h, and what nvcc refers to.
#include "cuda_runtime.h"
#include "trace.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The recorder's; programs without it run, too. */
__attribute__((weak)) void recorder_call(const char *site, void *caller);

static unsigned Checksum = 1, Calls, Lines;
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;

static void put(const char *format, ...) {
  char line[200];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (size > (int)sizeof line - 2)
    size = sizeof line - 2;
  line[size++] = '\n';
  pthread_mutex_lock(&Mutex);
  for (int i = 0; i < size; ++i)
    Checksum = (Checksum ^ (unsigned char)line[i]) * 16777619u;
  if (write(1, line, size) != size || ++Lines > 20000)
    _exit(99);
  pthread_mutex_unlock(&Mutex);
}

int trace(int value) {
  put("%d", value);
  return value & 1023;
}

int trace_text(const char *text) {
  put("%s", text);
  return (int)strlen(text);
}

int trace_exit(int value) {
  put("end of main: %d", value);
  return (int)(Checksum % 90);
}

static int Memory[1024];
int *device(void) { return Memory; }

struct job {
  void (*function)(void *);
  void *argument;
};
static void *start(void *job) {
  ((struct job *)job)->function(((struct job *)job)->argument);
  return NULL;
}
void on_thread(void (*function)(void *), void *argument) {
  struct job job = {function, argument};
  pthread_t thread;
  if (pthread_create(&thread, NULL, start, &job))
    _exit(98);
  pthread_join(thread, NULL);
}

#define RAN(site)                                                              \
  (recorder_call ? recorder_call(site, __builtin_return_address(0)) : (void)0)

static cudaError_t result(void) {
  unsigned call = ++Calls;
  cudaError_t error = call % 5 == 3    ? cudaErrorNotReady
                      : call % 11 == 7 ? cudaErrorInvalidValue
                                       : cudaSuccess;
  put("-> %d", error);
  return error;
}

/* What headers of libraries report. */
void fake_ran(const char *site) {
  RAN(site);
  put("%s", site);
}

static cudaError_t allocate(void **pointer, size_t size) {
  *pointer = calloc(size + 1, 4);
  return result();
}

#define ALLOCATE(name, ...)                                                    \
  cudaError_t name(void **pointer, size_t size, ##__VA_ARGS__) {               \
    RAN(#name);                                                                \
    put(#name " %zu", size);                                                   \
    return allocate(pointer, size);                                            \
  }
ALLOCATE(cudaMalloc)
ALLOCATE(cudaMallocHost)
ALLOCATE(cudaMallocManaged, unsigned flags)
ALLOCATE(cudaMallocAsync, cudaStream_t stream)

/* Memory is not given back: a program may have freed it twice. */
#define RELEASE(name, ...)                                                     \
  cudaError_t name(void *pointer, ##__VA_ARGS__) {                             \
    RAN(#name);                                                                \
    put(#name " %d", pointer != NULL);                                         \
    return result();                                                           \
  }
RELEASE(cudaFree)
RELEASE(cudaFreeHost)
RELEASE(cudaFreeAsync, cudaStream_t stream)

#define COPY(name, ...)                                                        \
  cudaError_t name(void *to, const void *from, size_t size,                    \
                   enum cudaMemcpyKind kind, ##__VA_ARGS__) {                  \
    RAN(#name);                                                                \
    put(#name " %zu %d", size, kind);                                          \
    if (to && from && to != from)                                              \
      memcpy(to, from, size);                                                  \
    return result();                                                           \
  }
COPY(cudaMemcpy)
COPY(cudaMemcpyAsync, cudaStream_t stream)

#define SET(name, ...)                                                         \
  cudaError_t name(void *pointer, int value, size_t size, ##__VA_ARGS__) {     \
    RAN(#name);                                                                \
    put(#name " %d %zu", value, size);                                         \
    if (pointer)                                                               \
      memset(pointer, value, size);                                            \
    return result();                                                           \
  }
SET(cudaMemset)
SET(cudaMemsetAsync, cudaStream_t stream)

/* Calls that say nothing of their arguments. SITE: in the catalogue as one that
 * gets a probe. */
#define SITE(name, ...)                                                        \
  cudaError_t name(__VA_ARGS__) {                                              \
    RAN(#name);                                                                \
    put(#name);                                                                \
    return result();                                                           \
  }
#define OTHER(name, ...)                                                       \
  cudaError_t name(__VA_ARGS__) {                                              \
    put(#name);                                                                \
    return result();                                                           \
  }
SITE(cudaDeviceSynchronize, void)
SITE(cudaStreamSynchronize, cudaStream_t stream)
SITE(cudaEventSynchronize, cudaEvent_t event)
SITE(cudaDeviceReset, void)
OTHER(cudaStreamDestroy, cudaStream_t stream)
OTHER(cudaStreamQuery, cudaStream_t stream)
OTHER(cudaEventRecord, cudaEvent_t event, cudaStream_t stream)
OTHER(cudaEventDestroy, cudaEvent_t event)
OTHER(cudaGetLastError, void)

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = (cudaStream_t)Memory;
  put("cudaStreamCreate");
  return result();
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = (cudaEvent_t)Memory;
  put("cudaEventCreate");
  return result();
}
const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "an error";
}

static __thread struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} Configuration;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     cudaStream_t stream) {
  Configuration.grid = grid;
  Configuration.block = block;
  Configuration.shared = shared;
  Configuration.stream = stream;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream) {
  *grid = Configuration.grid;
  *block = Configuration.block;
  *shared = Configuration.shared;
  *(cudaStream_t *)stream = Configuration.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream) {
  RAN("<launch>");
  put("launch %u %u %zu %d", grid.x, block.x, shared, kernel && arguments);
  return result();
}

/* For programs that nvcc built: what its code calls before main. */
void **__cudaRegisterFatBinary(void *binary) {
  (void)binary;
  static void *Handle;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
void __cudaRegisterFunction(void) {}
void __cudaRegisterVar(void) {}
char __cudaInitModule(void **handle) { return handle != NULL; }
cudaError_t __cudaGetKernel(void **kernel, const void *function) {
  *kernel = (void *)function;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                               void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
