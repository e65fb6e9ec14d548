// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include "src/jit/cache.hpp"
#include "src/jit/opencl.hpp"
#include "src/jit/opencl_log.hpp"

#include <skelrt/error.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
namespace fs = std::filesystem;

namespace
{

/// A cache folder of its own for the time of a test.
class own_cache
{
public:
    own_cache() : folder_(fs::temp_directory_path() / ("skelrt-opencl-cache-" + std::to_string(getpid())))
    {
        if (const char* old = std::getenv("SKELRT_CACHE")) before_ = old;
        fs::remove_all(folder_);
        setenv("SKELRT_CACHE", folder_.c_str(), 1);
    }
    ~own_cache()
    {
        before_.empty() ? unsetenv("SKELRT_CACHE") : setenv("SKELRT_CACHE", before_.c_str(), 1);
        fs::remove_all(folder_);
    }
    std::vector<fs::path> files() const
    {
        std::vector<fs::path> result;
        if (fs::exists(folder_))
            for (const auto& entry : fs::recursive_directory_iterator(folder_))
                if (entry.is_regular_file()) result.push_back(entry.path());
        return result;
    }

private:
    fs::path folder_;
    std::string before_;
};

constexpr const char* source = "__kernel void k(__global float* x) { x[0] = 7; }";

/// Builds, runs, and returns what the kernel wrote.
float built_and_run()
{
    auto& d = device::get();
    auto* program = opencl::build_program(d.context(), d.id(), source, "-cl-std=CL1.2", "test");
    cl_int error = CL_SUCCESS;
    auto* kernel = clCreateKernel(program, "k", &error);
    REQUIRE(error == CL_SUCCESS);
    const on_device<float> x({0});
    auto* memory = static_cast<cl_mem>(x.row().data);
    REQUIRE(clSetKernelArg(kernel, 0, sizeof(memory), &memory) == CL_SUCCESS);
    const std::size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(d.queue(), kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
    const float result = x.read()[0];
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return result;
}

} // namespace

TEST_CASE("programs are built once and then come from the cache; damaged entries are rebuilt", "[opencl][build]")
{
    const own_cache cache;
    const auto before = opencl::compiler_runs();
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 1);
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 1);

    REQUIRE(cache.files().size() == 1);
    const auto file = cache.files()[0];
    SECTION("truncated") { fs::resize_file(file, fs::file_size(file) / 2); }
    SECTION("empty") { fs::resize_file(file, 0); }
    SECTION("overwritten") { std::ofstream(file, std::ios::binary) << std::string(5000, 'x'); }
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 2);
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 2);
}

TEST_CASE("without a cache, programs are built each time", "[opencl][build]")
{
    const own_cache cache;
    setenv("SKELRT_CACHE", "none", 1);
    const auto before = opencl::compiler_runs();
    for (int time = 0; time < 2; ++time) CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 2);
    CHECK(cache.files().empty());
}

TEST_CASE("an intact entry that the driver refuses is rebuilt", "[opencl][build]")
{
    const own_cache cache;
    CHECK(built_and_run() == 7);
    const auto key = cache.files().at(0).filename().stem().string();
    if (!cache_load(key)) return; // the name of the file is the cache's own business
    cache_store(key, "no binary of any driver");
    const auto before = opencl::compiler_runs();
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 1);
    CHECK(built_and_run() == 7);
    CHECK(opencl::compiler_runs() == before + 1);
}

TEST_CASE("a function that the compiler refuses names the user's file and line, every time", "[opencl][build]")
{
    // only a compiler knows that a pointer cannot be multiplied
    static const auto path =
        (fs::temp_directory_path() / ("skelrt-user-" + std::to_string(getpid()) + ".cpp")).string();
    std::ofstream(path) << "\n\nauto f = FN((float a)\n{\n    float* p = &a;\n    return p * 2.0f;\n});\n";
    static const function_source broken{"(float a) { float* p = &a; return p * 2.0f; }", path.c_str(), 3};
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &broken, 1);
    r.name = "map (user.cpp:3)";
    auto& d = device::get();
    CHECK(!opencl::refusal(r, true));
    for (int time = 0; time < 2; ++time) {
        const auto runs = opencl::compiler_runs();
        std::string message;
        try {
            opencl::prepare(r, d.context(), d.id());
        } catch (const skelrt::function_error& e) {
            message = e.what();
        }
        CHECK_THAT(message, Catch::Contains(path + ":6"));
        if (time == 1) CHECK(opencl::compiler_runs() == runs);
    }
    CHECK_THAT(opencl::refusal(r, true).value_or(""),
               Catch::Contains("map (user.cpp:3)") && Catch::Contains(path + ":6"));
    fs::remove(path);
}

TEST_CASE("logs of all compilers get the places of the directives", "[opencl][build]")
{
    const std::string text = "int a;\n#line 40 \"dir/app.cpp\"\nint b;\nint c;\n#line 1 \"skelrt-generated\"\nint d;\n";
    CHECK(opencl::without_line_directives(text) == "int a;\n\nint b;\nint c;\n\nint d;\n");
    CHECK(opencl::readable_log(text, "<kernel>:4:10: error: bad\n  int c;\n") ==
          "dir/app.cpp:41: error: bad\n  int c;");
    CHECK(opencl::readable_log(text, "error: /tmp/x.cl:3:1: bad: 1:2") == "dir/app.cpp:40: bad: 1:2");
    CHECK(opencl::readable_log(text, "x.cl:6:1: note: here") == "skelrt-generated:1: note: here");
    CHECK(opencl::readable_log(text, "x.cl:99:1: note: here\n2 errors generated.") ==
          "x.cl:99:1: note: here\n2 errors generated.");
}

TEST_CASE("refusals: double on a device without it, and constructs", "[opencl][build]")
{
    static const function_source wide{"(float a) { return a * 0.1; }", "app.cpp", 9};
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &wide, 1);
    CHECK(!opencl::refusal(r, true));
    CHECK_THAT(opencl::refusal(r, false).value_or(""), Catch::Contains("app.cpp:9") && Catch::Contains("0.1"));

    static const function_source thrower{"(float a) { throw a; }", "app.cpp", 11};
    recipe t;
    fill<float, float>(t, skeleton::map, "float", "float", &thrower, 1);
    auto& d = device::get();
    CHECK_THAT(opencl::refusal(t, true).value_or(""), Catch::Contains("app.cpp:11") && Catch::Contains("throw"));
    CHECK_THROWS_AS(opencl::prepare(t, d.context(), d.id()), skelrt::function_error);
}

TEST_CASE("threads may prepare and launch the same call at once", "[opencl][build]")
{
    static const auto f = SKELRT_FN((float a) { return a + 3; });
    recipe r;
    fill<float, float>(r, skeleton::map, "float", "float", &f.source(), 1);
    std::vector<std::vector<float>> results(4);
    std::vector<std::thread> threads;
    std::vector<std::unique_ptr<on_device<float>>> data;
    for (int t = 0; t < 4; ++t)
        data.push_back(std::make_unique<on_device<float>>(std::vector<float>(100, static_cast<float>(t))));
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const std::vector<segment> segments{{1, 100, 0, 0}};
            const std::vector<slot_view> slots{data[t]->row(), data[t]->row()};
            for (int i = 0; i < 20; ++i)
                opencl::launch({r, false, 100, segments, slots}, device::get().context(), device::get().id(),
                               device::get().queue());
        });
    for (auto& t : threads) t.join();
    for (int t = 0; t < 4; ++t) CHECK(data[t]->read() == std::vector<float>(100, static_cast<float>(t) + 60));
}

/// A struct whose size the device sees differently would be silent garbage.
TEST_CASE("a struct of another size on the device does not compile", "[opencl][build]")
{
    static const function_source f{"(pair_of_ints a) { return a.x; }", "size.cpp", 2};
    register_shared({"struct pair_of_ints { int x, y; };", "size.cpp", 1});
    recipe r;
    fill<float, int>(r, skeleton::map, "float", "int", &f, 1);
    r.slots[0] = {slot_kind::element, "pair_of_ints", 12, 4};
    CHECK_THROWS_AS(opencl::prepare(r, device::get().context(), device::get().id()), skelrt::function_error);
}
