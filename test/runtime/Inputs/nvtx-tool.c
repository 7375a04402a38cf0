// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An NVTX tool (NVTX_INJECTION64_PATH) that prints the ranges it is told of,
// indented by their nesting, and spoils errno as tools may.
#include <errno.h>
#include <nvtx3/nvToolsExt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static __thread int depth = 0;

static nvtxDomainHandle_t createDomain(const char *name) {
  fprintf(stderr, "domain %s\n", name);
  return (nvtxDomainHandle_t)strdup(name);
}

static nvtxStringHandle_t registerString(nvtxDomainHandle_t domain,
                                         const char *string) {
  fprintf(stderr, "string %s\n", string);
  return (nvtxStringHandle_t)strdup(string);
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
  const char *text = event->messageType == NVTX_MESSAGE_TYPE_REGISTERED
                         ? (const char *)event->message.registered
                         : event->message.ascii;
  fprintf(stderr, "%*s%s: %s\n", 2 * depth, "", (const char *)domain, text);
  errno = EBADF;
  return depth++;
}

static int pop(nvtxDomainHandle_t domain) {
  fprintf(stderr, "%*send\n", 2 * --depth, "");
  errno = EBADF;
  return depth;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getTable) {
  const NvtxExportTableCallbacks *callbacks =
      (const NvtxExportTableCallbacks *)getTable(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table;
  unsigned size;
  if (!callbacks ||
      !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
    return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)createDomain;
  *table[NVTX_CBID_CORE2_DomainRegisterStringA] =
      (NvtxFunctionPointer)registerString;
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
  *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
  return 1;
}
