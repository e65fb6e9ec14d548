# SPDX-License-Identifier: BSD-3-Clause
"""spack repo add packaging/spack && spack install skelrt: builds the checkout that this file lies in."""

from pathlib import Path

from spack.package import *

CHECKOUT = Path(__file__).resolve().parents[4]


class Skelrt(MesonPackage):
    """Algorithmic skeletons for C++20 on CPUs and GPUs, over StarPU."""

    homepage = CHECKOUT.as_uri()
    git = CHECKOUT.as_uri()
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("cuda", default=False, description="NVIDIA GPUs")
    variant("opencl", default=False, description="OpenCL devices")
    variant("mpi", default=True, description="Programs of several ranks")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2:")
    depends_on("fmt")
    depends_on("spdlog")
    depends_on("nlohmann-json")
    depends_on("xxhash")
    depends_on("cli11")
    depends_on("libpng")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("opencl", when="+opencl")
    depends_on("mpi", when="+mpi")

    # Limits and changes that Spack's own StarPU does not have: tools/setup.sh builds it.
    resource(
        name="starpu",
        url="https://deb.debian.org/debian/pool/main/s/starpu/starpu_1.4.10+dfsg.orig.tar.gz",
        sha256="6b3bb9ec0d79f937882148b2da09ae6cb0ad4d1e83a104be45723dd70eba99c3",
        destination="starpu",
        placement="source",
    )

    @run_before("meson")
    def build_starpu(self):
        bash = which("bash", required=True)
        bash.add_default_env("SKELRT_STARPU_SOURCE", str(Path(self.stage.source_path) / "starpu" / "source"))
        bash.add_default_env("SKELRT_DEPS", str(Path(self.prefix) / "libexec" / "skelrt"))
        with working_dir(self.stage.source_path):
            where = bash("-c", "source tools/setup.sh && setup_starpu >&2 && echo $starpu_pkgconfig", output=str)
        self.starpu_pkgconfig = where.strip()

    def meson_args(self):
        def feature(name):
            return f"-D{name}={'enabled' if self.spec.satisfies('+' + name) else 'disabled'}"

        return [
            *(feature(name) for name in ("cuda", "opencl", "mpi")),
            *(f"-D{part}=false" for part in ("bundle", "tests", "apps", "benchmarks")),
            f"-Dpkg_config_path={self.starpu_pkgconfig}",
        ]
