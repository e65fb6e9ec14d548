// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/calibration.hpp"
#include "src/tool/doctor/checks/cores.hpp"
#include "src/tool/doctor/checks/folders.hpp"
#include "src/tool/doctor/checks/ranks.hpp"
#include "src/tool/doctor/checks/variables.hpp"
#include "src/tool/doctor/report.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using namespace skelrt::tool::doctor;
using Catch::Matchers::Contains;

namespace
{

/// All is well: one finding that says so.
void is_fine(const findings& f)
{
    REQUIRE(f.size() == 1);
    CAPTURE(f[0].what);
    REQUIRE(f[0].is == verdict::ok);
    REQUIRE(f[0].way_out.empty());
}

/// One finding, with a way out.
void is_only(const findings& f, verdict is, const std::string& what, const std::string& way_out)
{
    REQUIRE(f.size() == 1);
    REQUIRE(f[0].is == is);
    REQUIRE_THAT(f[0].what, Contains(what));
    REQUIRE_THAT(f[0].way_out, Contains(way_out));
}

folder_facts kernels()
{
    return {.about = "kernels",
            .folder = "/home/a/.cache/skelrt/kernels",
            .setting = "SKELRT_CACHE",
            .cost = "each run builds its kernels anew",
            .exists = true,
            .files = 2,
            .bytes = 3 << 20,
            .free = std::uintmax_t{1} << 34};
}

core_facts sixteen_cores()
{
    core_facts f;
    f.cores = f.allowed = 16;
    for (int k = 0; k < 16; ++k) f.workers.push_back(k);
    return f;
}

rank_facts open_mpi()
{
    rank_facts f;
    f.library = "/usr/lib/libskelrt-mpi.so.0";
    f.its = f.ours = "skelrt 0.2.0 with StarPU 1.4.10";
    f.mpi = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022";
    f.launcher = "/usr/bin/mpirun";
    f.launcher_is = "mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n";
    return f;
}

} // namespace

TEST_CASE("a finding is a line, and the worst of them the exit code", "[doctor]")
{
    const findings well{fine("cores", "16 cores")}, slow{fine("a", "b"), warn("models", "off", "unset SKELRT_MODELS")},
        bad{warn("a", "b", "c"), wrong("cuda 0", "refused:\nno memory", "free some")};
    REQUIRE(line_of(well[0]) == "ok       cores        16 cores\n");
    REQUIRE(line_of(slow[1]) == "warning  models       off; way out: unset SKELRT_MODELS\n");
    REQUIRE(line_of(bad[1]) == "wrong    cuda 0       refused: no memory; way out: free some\n");
    REQUIRE(exit_code(well) == 0);
    REQUIRE(exit_code(slow) == 0);
    REQUIRE(exit_code(bad) == 1);
    REQUIRE(sums_of(bad) == "0 ok, 1 warning, 1 wrong\n");
    REQUIRE_THAT(as_json(bad), Contains("\"verdict\": \"wrong\"") && Contains("\"way_out\": \"free some\""));
}

TEST_CASE("folders that can be used, and others", "[doctor]")
{
    is_fine(check_folder(kernels()));
    folder_facts f = kernels();
    f.exists = false;
    REQUIRE_THAT(check_folder(f)[0].what, Contains("made when it is needed"));
    f.problem = "/home/a: Permission denied";
    is_only(check_folder(f), verdict::wrong, "/home/a: Permission denied; each run builds its kernels anew",
            "set SKELRT_CACHE to");
    f = kernels();
    f.free = 1 << 20;
    is_only(check_folder(f), verdict::warning, "/home/a/.cache/skelrt/kernels: only 1.0 MiB free", "delete");
    f = kernels();
    f.folder = "";
    is_only(check_folder(f), verdict::wrong, "neither HOME nor SKELRT_CACHE is set", "set SKELRT_CACHE to");
    f = kernels();
    f.setting = "SKELRT_MODELS";
    f.switched_off = true;
    is_only(check_folder(f), verdict::warning, "SKELRT_MODELS=none", "unset SKELRT_MODELS");
}

TEST_CASE("files that are read back, and others", "[doctor]")
{
    REQUIRE(check_file({"models", "/m/host.json", ""}).empty());
    is_only(check_file({"models", "/m/host.json", "it ends too soon"}), verdict::warning,
            "/m/host.json: it ends too soon", "rm /m/host.json");
    is_only(check_file({"models", "/m/host.json", "it has version 9", true}), verdict::wrong, "version 9",
            "SKELRT_MODELS");
}

TEST_CASE("variables that nobody reads", "[doctor]")
{
    is_fine(check_variables({}));
    variable_facts f;
    f.set = {{"SKELRT_DEVICES", "cpu"}, {"STARPU_NCPU", "4"},        {"STARPU_LIMIT_CUDA_3_MEM", "100"},
             {"STARPU_MPI_CACHE", "1"}, {"STARPU_HOSTNAME", "node"}, {"OMP_NUM_THREADS", "4"}};
    is_fine(check_variables(f));
    f.set = {{"SKELRT_DEVIECS", "cpu"}};
    is_only(check_variables(f), verdict::wrong, "SKELRT_DEVIECS is not a variable of skelrt",
            "did you mean SKELRT_DEVICES?");
    f.set = {{"SKELRT_WHATEVER_THIS_IS", "cpu"}};
    is_only(check_variables(f), verdict::wrong, "SKELRT_WHATEVER_THIS_IS", "skelrt env");
    f.set = {{"STARPU_NCPUU", "4"}};
    is_only(check_variables(f), verdict::wrong, "StarPU 1.4 does not read STARPU_NCPUU", "did you mean STARPU_NCPU?");
    f.set = {{"STARPU_ROOT", "/opt/starpu"}}; // of a module system, say
    is_only(check_variables(f), verdict::warning, "STARPU_ROOT", "unset STARPU_ROOT");
}

TEST_CASE("values that nobody can read", "[doctor]")
{
    variable_facts f;
    f.set = {{"SKELRT_TILES", "none"}};
    f.unreadable = {
        {"SKELRT_TILES", "environment: SKELRT_TILES=none makes no sense; allowed is a whole number from 1 to 9"}};
    const findings all = check_variables(f);
    is_only(all, verdict::wrong, "SKELRT_TILES=none makes no sense", "allowed is a whole number from 1 to 9");
    REQUIRE(all[0].what == "SKELRT_TILES=none makes no sense");
    f.unreadable = {{"SKELRT_PLAN", "SKELRT_PLAN=p.json: there is no such file"}};
    is_only(check_variables(f), verdict::wrong, "there is no such file", "SKELRT_PLAN");
}

TEST_CASE("policies that exist, and others", "[doctor]")
{
    variable_facts f;
    f.policies = {"skelrt", "heft-tm", "dmdas"};
    f.set = {{"STARPU_SCHED", "dmdas"}};
    is_fine(check_variables(f));
    f.set = {{"STARPU_SCHED", "dmdaz"}};
    is_only(check_variables(f), verdict::wrong, "STARPU_SCHED=dmdaz", "did you mean dmdas?");
    f.set = {{"STARPU_SCHED", "something-else"}};
    is_only(check_variables(f), verdict::wrong, "STARPU_SCHED=something-else", "skelrt, heft-tm, dmdas");
    f.set["STARPU_SCHED_LIB"] = "mine.so"; // has it, perhaps
    is_fine(check_variables(f));
}

TEST_CASE("variables that contradict each other", "[doctor]")
{
    struct example {
        variables set;
        verdict is;
        const char *what, *way_out;
    };
    const example all[] = {
        {{{"STARPU_NCPU", "0"}, {"SKELRT_DEVICES", "cpu"}},
         verdict::wrong,
         "STARPU_NCPU=0 with SKELRT_DEVICES=cpu",
         "STARPU_NCPU=1"},
        {{{"STARPU_NCPU", "2"}, {"STARPU_NCPUS", "4"}}, verdict::warning, "STARPU_NCPU=2 wins", "unset STARPU_NCPUS"},
        {{{"STARPU_NOPENCL", "0"}, {"SKELRT_DEVICES", "cpu,opencl"}},
         verdict::wrong,
         "STARPU_NOPENCL=0 leaves none",
         "unset STARPU_NOPENCL"},
        {{{"STARPU_NCUDA", "0"}, {"SKELRT_DEVICES", "cuda"}},
         verdict::wrong,
         "STARPU_NCUDA=0 leaves none",
         "unset STARPU_NCUDA"},
        {{{"STARPU_NCUDA", "2"}, {"SKELRT_DEVICES", "cpu,opencl"}},
         verdict::warning,
         "STARPU_NCUDA=2 has no effect",
         "add cuda"},
        {{{"SKELRT_OPENCL_ON_CPU", "1"}, {"SKELRT_DEVICES", "cpu"}},
         verdict::warning,
         "SKELRT_OPENCL_ON_CPU=1 has no effect",
         "add opencl"},
        {{{"SKELRT_STATIC_DEVICE", "cuda"}},
         verdict::warning,
         "without STARPU_SCHED=static-device",
         "unset SKELRT_STATIC_DEVICE"},
        {{{"SKELRT_STATIC_DEVICE", "cuda"}, {"STARPU_SCHED", "static-device"}, {"SKELRT_DEVICES", "cpu"}},
         verdict::warning,
         "leaves it out",
         "agree"},
        {{{"STARPU_SCHED", "dmdas"}, {"SKELRT_PLAN", "p.json"}},
         verdict::warning,
         "SKELRT_PLAN=p.json has no effect",
         "unset one"},
        {{{"STARPU_WORKERS_CPUID", "0 1"}, {"STARPU_WORKERS_COREID", "0"}},
         verdict::warning,
         "STARPU_WORKERS_CPUID wins",
         "unset one"},
        {{{"XDG_CACHE_HOME", "cache"}}, verdict::warning, "XDG_CACHE_HOME=cache does not begin with /", "whole path"},
        {{{"SKELRT_CHECK", "bounds"}}, verdict::warning, "SKELRT_CHECK=bounds", "unset SKELRT_CHECK"},
        {{{"SKELRT_LOG", "trace"}}, verdict::warning, "SKELRT_LOG=trace", "unset SKELRT_LOG"},
        {{{"SKELRT_TRIAL", "t"}}, verdict::warning, "`skelrt tune` sets", "unset SKELRT_TRIAL"},
    };
    for (const example& e : all) {
        CAPTURE(e.what);
        is_only(check_contradictions(e.set), e.is, e.what, e.way_out);
    }
    for (const variables& sound : {variables{{"STARPU_NCPU", "2"}, {"STARPU_NCPUS", "2"}},
                                   {{"SKELRT_DEVICES", "cpu,cuda"}, {"STARPU_NCUDA", "1"}},
                                   {{"STARPU_NOPENCL", "0"}},
                                   {{"STARPU_NCUDA", "0"}, {"SKELRT_DEVICES", "cpu"}},
                                   {{"SKELRT_LOG", "info"}},
                                   {{"SKELRT_FUSION", "1"}},
                                   {{"SKELRT_STATIC_DEVICE", "cpu"}, {"STARPU_SCHED", "static-device"}},
                                   {{"XDG_CACHE_HOME", "/tmp/c"}}})
        REQUIRE(check_contradictions(sound).empty());
}

TEST_CASE("cores, and who wants them", "[doctor]")
{
    is_fine(check_cores(sixteen_cores()));
    core_facts f = sixteen_cores();
    f.allowed = 1;
    f.workers = {3};
    is_only(check_cores(f), verdict::warning, "may use 1 of 16 cores", "--bind-to none");
    f.ranks = 16; // which share the node out
    is_fine(check_cores(f));
    f = sixteen_cores();
    f.allowed = 8;
    is_only(check_cores(f), verdict::wrong, "StarPU takes 16 workers, and 8 cores may be used", "STARPU_NCPU=8");
    f = sixteen_cores();
    f.workers[5] = 4;
    is_only(check_cores(f), verdict::wrong, "bound 16 workers to 15 cores", "unset STARPU_WORKERS_CPUID");
    f = sixteen_cores();
    f.quota = 2.5;
    is_only(check_cores(f), verdict::warning, "2.5 CPUs busy at most", "STARPU_NCPU=2");
    f.quota = 16;
    is_fine(check_cores(f));
    f.load = 12;
    is_only(check_cores(f), verdict::warning, "wanted about 12.0 cores", "measure when they are gone");
}

TEST_CASE("OpenMP and ranks beside StarPU's workers", "[doctor]")
{
    core_facts f = sixteen_cores();
    f.set = {{"OMP_NUM_THREADS", "16"}, {"OMP_PROC_BIND", "false"}, {"OMP_WAIT_POLICY", "passive"}};
    is_fine(check_cores(f));
    f.set = {{"OMP_NUM_THREADS", "64"}};
    is_only(check_cores(f), verdict::warning, "OMP_NUM_THREADS=64", "OMP_NUM_THREADS=16");
    f.set = {{"OMP_WAIT_POLICY", "active"}};
    is_only(check_cores(f), verdict::warning, "OMP_WAIT_POLICY=active", "OMP_WAIT_POLICY=passive");
    f.set = {{"OMP_PROC_BIND", "true"}};
    is_only(check_cores(f), verdict::warning, "OMP_PROC_BIND=true", "unset OMP_PROC_BIND");
    f.set = {{"STARPU_WORKERS_NOBIND", "1"}};
    is_only(check_cores(f), verdict::warning, "STARPU_WORKERS_NOBIND=1", "unset");
    f.set = {{"STARPU_NCPU", "16"}};
    f.ranks = 4;
    is_only(check_cores(f), verdict::warning, "4 ranks with STARPU_NCPU=16 want 64 of 16 cores", "unset STARPU_NCPU");
    f.set = {{"STARPU_NCPU", "4"}};
    is_fine(check_cores(f));
}

TEST_CASE("what cgroups say", "[doctor]")
{
    REQUIRE(quota_of("150000 100000\n") == 1.5);
    REQUIRE_FALSE(quota_of("max 100000\n"));
    REQUIRE_FALSE(quota_of(""));
    REQUIRE(cgroup_of("12:cpu:/a\n0::/user.slice/b\n") == "/user.slice/b");
    REQUIRE(cgroup_of("12:cpu:/a\n").empty());
    REQUIRE(cgroup_of("9:name=systemd:/x\n4:cpu,cpuacct:/a/b\n", "cpu") == "/a/b");
    REQUIRE(cgroup_of("9:cpuset:/x\n0::/y\n", "cpu").empty());
    REQUIRE_FALSE(quota_of("-1\n 100000\n")); // version 1, no limit
}

TEST_CASE("machines that were measured, and others", "[doctor]")
{
    REQUIRE(check_calibration({}).empty()); // no folder, which is said elsewhere
    is_only(check_calibration({"/m/host.machine.json", false, {}}), verdict::warning, "never measured",
            "skelrt calibrate");
    detail::machine m{"host", {detail::assumed_cpu(4), detail::assumed_device("cuda", 1)}};
    m.devices[0].memory.from = detail::source::measured;
    is_only(check_calibration({"/m/host.machine.json", true, m}), verdict::warning, "nothing about cuda 1",
            "skelrt calibrate");
    m.devices[1].memory.from = detail::source::measured;
    is_fine(check_calibration({"/m/host.machine.json", true, m}));
}

TEST_CASE("MPI libraries and their launchers", "[doctor]")
{
    REQUIRE(mpi_in("Open MPI v4.1.4, package: x") == "Open MPI 4.1.4");
    REQUIRE(mpi_in("mpirun (Open MPI) 5.0.1\n") == "Open MPI 5.0.1");
    REQUIRE(mpi_in("HYDRA build details:\n    Version:                                 4.0.2\n") == "MPICH 4.0.2");
    REQUIRE(mpi_in("MPICH Version:      4.0.2\nMPICH Release date: x") == "MPICH 4.0.2");
    REQUIRE(mpi_in("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 1") == "Intel MPI 2021.9");
    REQUIRE(mpi_in("something") == "");

    is_fine(check_ranks(open_mpi()));
    rank_facts f = open_mpi();
    f.launcher_is = "mpirun (Open MPI) 5.0.1";
    is_only(check_ranks(f), verdict::wrong, "of Open MPI 5.0.1", "the mpirun of Open MPI 4.1.4");
    f = open_mpi();
    f.its = "skelrt 0.1.0 with StarPU 1.4.10";
    is_only(check_ranks(f), verdict::wrong, "is of skelrt 0.1.0", "one build");
    f = open_mpi();
    f.launcher = f.launcher_is = "";
    is_only(check_ranks(f), verdict::warning, "mpirun is not in PATH", "PATH");
    f = open_mpi();
    f.not_loaded = "no such file";
    is_only(check_ranks(f), verdict::warning, "cannot be loaded: no such file", "-Dmpi=enabled");
    f.launcher = "";
    is_fine(check_ranks(f)); // nobody wants it
    f.asked_for = true;
    is_only(check_ranks(f), verdict::wrong, "cannot be loaded", "SKELRT_CLUSTER");
    f = open_mpi();
    f.problem = "it crashed (signal 11: Segmentation fault)";
    is_only(check_ranks(f), verdict::wrong, "it crashed", "SKELRT_CLUSTER=off");
}
