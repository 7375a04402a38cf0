from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="scale",
    ext_modules=[CUDAExtension("scale", ["scale.cpp", "scale_kernel.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
