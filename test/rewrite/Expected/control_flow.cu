// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls between jumps, and in statements that declare something in their heads.
// RUN: %check_rewrite --run --strict --clang-flag=-Wno-gnu-statement-expression --std=c++20
#include <cstdio>
#include <utility>
#include <vector>

__global__ void k(int *) {}
int failed(cudaError_t e) { return e == cudaSuccess; }

int heads(int *d) {AP_RANGE(0xdf45c231bc08c800)
  int n = 0;
  if (cudaError_t e = (AP_SITE(0xe994fec0fa1d1d0f) cudaFree(d)); failed(e))
    n += 1;
  else if (auto again = (AP_SITE(0x324cc0c80f9ebc32) cudaMemset(d, 0, 4)); again != cudaSuccess)
    n += 2;
  if (AP_SITE(0x207cfda4e510f877) cudaDeviceSynchronize(); n > 1)
    n += 4;
  switch (cudaError_t e = (AP_SITE(0xe994fdc0fa1d1b5c) cudaFree(d)); failed(e)) {
  case 0:
    n += 8;
    break;
  default:
    AP_SITE(0x207cfca4e510f6c4) cudaDeviceSynchronize();
  }
  switch (const int f = failed((AP_SITE(0xe99500c0fa1d2075) cudaFree(d)))) {
  case 0:
    n += f;
  }
  while (const int f = failed((AP_SITE(0x324cc1c80f9ebde5) cudaMemset(d, 1, 4))))
    {AP_RANGE(0x1a4d62086fcecea2) n += f;}
  for (std::pair<cudaError_t, int> p{(AP_SITE(0xe994ffc0fa1d1ec2) cudaFree(d)), 0}; p.second < 2; ++p.second, (AP_SITE(0x324cbec80f9eb8cc) cudaMemset(d, p.second, 4)))
    {AP_RANGE(0x1a4d63086fced055) n += p.second;}
  for (cudaError_t e = (AP_SITE(0xe994fac0fa1d1643) cudaFree(d)); int i : {1, 2})
    {AP_RANGE(0x1a4d60086fcecb3c) n += i + failed(e);}
  return n;
}

int likely(int *d, int n) {AP_RANGE(0xc36cfc485e982010)
  if (n > 0) [[likely]]
    AP_SITE(0x1edd87c74ac48a9f) cudaFree(d);
  else [[unlikely]] {
    AP_SITE(0x217ffbdfe02aa6a7) cudaDeviceSynchronize();
  }
  if (n == 0) [[unlikely]]
    return failed((AP_SITE(0x1edd86c74ac488ec) cudaFree(d)));
  if (failed((AP_SITE(0x1edd89c74ac48e05) cudaFree(d)))) [[unlikely]] AP_SITE(0xfb7a157d566422e3) k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i) {AP_RANGE(0x672f6d9ec0e04752) [[likely]]
    AP_SITE(0x2281564ef8067222) cudaMemset(d, i, 4);}
  while (n-- > 0) {AP_RANGE(0x672f6e9ec0e04905) [[likely]] {
    AP_SITE(0x2281574ef80673d5) cudaMemset(d, n, 4);
  }}
  switch (n) {
  [[likely]] case -1:
    AP_SITE(0x2281544ef8066ebc) cudaMemset(d, n, 4);
    [[fallthrough]];
  case 2: [[unlikely]]
    AP_SITE(0x2281554ef806706f) cudaMemset(d, 2, 4);
  }
  return n;
}

int past_declarations(int *d, int n) {AP_RANGE(0xc9bf35f527ee4042)
  switch (n) {
    int unused;
  case 0:
    unused = failed((AP_SITE(0xf178e879ad7ed595) cudaFree(d)));
    return unused;
  case 1: {
    cudaError_t e = (AP_SITE(0x039f2342b9d10114) cudaMemset(d, 1, 4));
    n += failed(e);
    break;
  }
  case 2:
  case 3:
    if (n == 2) {
    case 4:
      n += 10;
      AP_SITE(0x81ea942f79367d6d) k<<<1, 1>>>(d);
    }
    break;
  default:
    cudaError_t last = (AP_SITE(0x4ca5fbde7bb0bf45) cudaDeviceSynchronize());
    n += 20 + failed(last);
  }
  return n;
}

int values_of_blocks(int *d) {AP_RANGE(0xcaaf85be89d07440)
  int n = ({ cudaError_t e = (AP_SITE(0xd5f489e867b3d44f) cudaFree(d)); failed(e); });
  n += ({ AP_SITE(0x33b094aed21a88f3) k<<<1, 1>>>(d); failed((AP_SITE(0x6f098415aa99b8b7) cudaDeviceSynchronize())); });
  if (({ AP_SITE(0xd5f488e867b3d29c) cudaFree(d); }) == cudaSuccess)
    n += 2;
  ({ AP_SITE(0x6f098315aa99b704) cudaDeviceSynchronize(); });
  const cudaError_t last = ({ for (int i = 0; i < 2; ++i) {AP_RANGE(0x1e5d9f2f2fa9d7e2) AP_SITE(0xb907946a79dc0672) cudaMemset(d, i, 4);} cudaGetLastError(); AP_SITE(0xd5f48be867b3d7b5) cudaFree(d); });
  return n + failed(last);
}

int jumps(int *d, int n) {AP_RANGE(0x171c56b62eeff705)
  if (n == 0)
    goto out;
  AP_SITE(0xc3dc803e235ba26f) cudaMemset(d, 0, 4);
  if (failed((AP_SITE(0x1471d938ed16a64e) cudaFree(d))))
    goto out;
again:
  AP_SITE(0x2d53bd267f994d38) k<<<1, 1>>>(d);
  if (--n > 0)
    goto again;
  for (int i = 0; i < 3; ++i) {AP_RANGE(0x9e65fd779e42d1df)
    for (int j = 0; j < 3; ++j) {AP_RANGE(0x9e65fc779e42d02c)
      if (j == 1)
        continue;
      AP_SITE(0xc3dc7f3e235ba0bc) cudaMemset(d, i, 4);
      if (i + j == 3)
        goto out;
    }
  }
out:
  AP_SITE(0xe9734bafca82a7c0) cudaDeviceSynchronize();
  return n;
}

int unwinding(int *d) {AP_RANGE(0x7aff8ec53d033650)
  int n = 0;
  for (int i = 0; i < 2; ++i) {AP_RANGE(0xf566d480471f4192)
    try {
      AP_SITE(0x666d0eea6d4cfc62) cudaMemset(d, i, 4);
      if (i)
        throw (AP_SITE(0xbdf55f8f6ef701df) cudaFree(d));
      AP_SITE(0x9975486cefa52fe7) cudaDeviceSynchronize();
    } catch (cudaError_t e) {
      AP_SITE(0xbdf55e8f6ef7002c) cudaFree(nullptr);
      n += failed(e) + 1;
    }
  }
  return n;
}

int main() {AP_RANGE(0x905822398a3c8b3b)
  int *d = nullptr;
  int sum = heads(d) + likely(d, 0) + likely(d, 2) + values_of_blocks(d) + unwinding(d);
  for (int n = 0; n < 6; ++n)
    {AP_RANGE(0x4d285dcb7423ba09) sum += past_declarations(d, n);}
  sum += jumps(d, 0) + jumps(d, 2);
  std::printf("%d\n", sum);
}
AP_TABLE("0xdf45c231bc08c800|function|11|5|control_flow.cu|heads|;0xe994fec0fa1d1d0f|free|13|23|control_flow.cu|heads|cudaFree;0x324cc0c80f9ebc32|set|15|25|control_flow.cu|heads|cudaMemset;0x207cfda4e510f877|sync|17|7|control_flow.cu|heads|cudaDeviceSynchronize;0xe994fdc0fa1d1b5c|free|19|27|control_flow.cu|heads|cudaFree;0x207cfca4e510f6c4|sync|24|5|control_flow.cu|heads|cudaDeviceSynchronize;0xe99500c0fa1d2075|free|26|32|control_flow.cu|heads|cudaFree;0x1a4d62086fcecea2|loop|30|3|control_flow.cu|heads|;0x324cc1c80f9ebde5|set|30|31|control_flow.cu|heads|cudaMemset;0x1a4d63086fced055|loop|32|3|control_flow.cu|heads|;0xe994ffc0fa1d1ec2|free|32|38|control_flow.cu|heads|cudaFree;0x324cbec80f9eb8cc|set|32|81|control_flow.cu|heads|cudaMemset;0x1a4d60086fcecb3c|loop|34|3|control_flow.cu|heads|;0xe994fac0fa1d1643|free|34|24|control_flow.cu|heads|cudaFree;0xc36cfc485e982010|function|39|5|control_flow.cu|likely|;0x1edd87c74ac48a9f|free|41|5|control_flow.cu|likely|cudaFree;0x217ffbdfe02aa6a7|sync|43|5|control_flow.cu|likely|cudaDeviceSynchronize;0x1edd86c74ac488ec|free|46|19|control_flow.cu|likely|cudaFree;0x1edd89c74ac48e05|free|47|14|control_flow.cu|likely|cudaFree;0xfb7a157d566422e3|launch|47|41|control_flow.cu|likely|k;0x672f6d9ec0e04752|loop|48|3|control_flow.cu|likely|;0x2281564ef8067222|set|49|5|control_flow.cu|likely|cudaMemset;0x672f6e9ec0e04905|loop|50|3|control_flow.cu|likely|;0x2281574ef80673d5|set|51|5|control_flow.cu|likely|cudaMemset;0x2281544ef8066ebc|set|55|5|control_flow.cu|likely|cudaMemset;0x2281554ef806706f|set|58|5|control_flow.cu|likely|cudaMemset;0xc9bf35f527ee4042|function|63|5|control_flow.cu|past_declarations|;0xf178e879ad7ed595|free|67|21|control_flow.cu|past_declarations|cudaFree;0x039f2342b9d10114|set|70|21|control_flow.cu|past_declarations|cudaMemset;0x81ea942f79367d6d|launch|79|7|control_flow.cu|past_declarations|k;0x4ca5fbde7bb0bf45|sync|83|24|control_flow.cu|past_declarations|cudaDeviceSynchronize;0xcaaf85be89d07440|function|89|5|control_flow.cu|values_of_blocks|;0xd5f489e867b3d44f|free|90|30|control_flow.cu|values_of_blocks|cudaFree;0x33b094aed21a88f3|launch|91|11|control_flow.cu|values_of_blocks|k;0x6f098415aa99b8b7|sync|91|34|control_flow.cu|values_of_blocks|cudaDeviceSynchronize;0xd5f488e867b3d29c|free|92|10|control_flow.cu|values_of_blocks|cudaFree;0x6f098315aa99b704|sync|94|6|control_flow.cu|values_of_blocks|cudaDeviceSynchronize;0x1e5d9f2f2fa9d7e2|loop|95|31|control_flow.cu|values_of_blocks|;0xb907946a79dc0672|set|95|59|control_flow.cu|values_of_blocks|cudaMemset;0xd5f48be867b3d7b5|free|95|100|control_flow.cu|values_of_blocks|cudaFree;0x171c56b62eeff705|function|99|5|control_flow.cu|jumps|;0xc3dc803e235ba26f|set|102|3|control_flow.cu|jumps|cudaMemset;0x1471d938ed16a64e|free|103|14|control_flow.cu|jumps|cudaFree;0x2d53bd267f994d38|launch|106|3|control_flow.cu|jumps|k;0x9e65fd779e42d1df|loop|109|3|control_flow.cu|jumps|;0x9e65fc779e42d02c|loop|110|5|control_flow.cu|jumps|;0xc3dc7f3e235ba0bc|set|113|7|control_flow.cu|jumps|cudaMemset;0xe9734bafca82a7c0|sync|119|3|control_flow.cu|jumps|cudaDeviceSynchronize;0x7aff8ec53d033650|function|123|5|control_flow.cu|unwinding|;0xf566d480471f4192|loop|125|3|control_flow.cu|unwinding|;0x666d0eea6d4cfc62|set|127|7|control_flow.cu|unwinding|cudaMemset;0xbdf55f8f6ef701df|free|129|15|control_flow.cu|unwinding|cudaFree;0x9975486cefa52fe7|sync|130|7|control_flow.cu|unwinding|cudaDeviceSynchronize;0xbdf55e8f6ef7002c|free|132|7|control_flow.cu|unwinding|cudaFree;0x905822398a3c8b3b|function|139|5|control_flow.cu|main|;0x4d285dcb7423ba09|loop|142|3|control_flow.cu|main|;")
