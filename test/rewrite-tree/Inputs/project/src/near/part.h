inline bool isNear(float *P) { return cudaFree(P) == cudaSuccess; }
