// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc/library.hpp"
#include "src/jit/versions.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace skelrt::detail;
using Catch::Matchers::Contains;

namespace
{

/// An environment variable for one test.
class variable
{
public:
    variable(const char* name, const char* value) : name_(name)
    {
        if (const char* was = std::getenv(name)) was_ = was, had_ = true;
        setenv(name, value, 1);
    }
    ~variable() { had_ ? setenv(name_, was_.c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::string was_;
    bool had_ = false;
};

std::size_t place_of(const std::vector<std::string>& files, const std::string& begin)
{
    for (std::size_t i = 0; i < files.size(); ++i)
        if (files[i].starts_with(begin)) return i;
    return files.size();
}

} // namespace

TEST_CASE("NVRTC is looked for by the loader, in the user's toolkit, in the usual one", "[nvrtc]")
{
    const variable path{"CUDA_PATH", "/of/path"}, home{"CUDA_HOME", "/of/home"};
    const std::vector<std::string> files = nvrtc_files();
    CHECK(place_of(files, "libnvrtc.so.") == 0);
    CHECK(place_of(files, "/of/path/lib64/libnvrtc.so.") < place_of(files, "/of/home/lib64/libnvrtc.so."));
    CHECK(place_of(files, "/of/home/lib/libnvrtc.so.") < files.size() - 1);
    CHECK(files.back().starts_with("/usr/local/cuda/lib64/libnvrtc.so."));
}

TEST_CASE("the first NVRTC that can be used is taken", "[nvrtc]")
{
    const nvrtc_library& usual = find_nvrtc();
    REQUIRE(usual.missing == "");
    REQUIRE(std::filesystem::exists(usual.file));
    const nvrtc_library found = open_nvrtc({"/nowhere/libnvrtc.so.1", "libm.so.6", usual.file});
    CHECK(found.missing == "");
    CHECK(found.file == usual.file);
    CHECK(found.call.version == usual.call.version);
    CHECK(find_cuda_versions().nvrtc_file == usual.file);
}

TEST_CASE("without NVRTC the message says where it was looked for, and what to do", "[nvrtc]")
{
    const nvrtc_library none = open_nvrtc({"libnvrtc.so.0", "/nowhere/libnvrtc.so.0"});
    CHECK(none.call.version == nullptr);
    CHECK_THAT(none.missing, Contains("none of these is there: libnvrtc.so.0, /nowhere/libnvrtc.so.0"));
    CHECK_THAT(none.missing, Contains("CUDA_PATH") && Contains("SKELRT_DEVICES="));
}

TEST_CASE("a file that is there and is not NVRTC is named", "[nvrtc]")
{
    CHECK_THAT(open_nvrtc({"/nowhere/libnvrtc.so.0", "libm.so.6"}).missing,
               Contains("libm.so.6 has no nvrtcVersion") && !Contains("/nowhere"));

    const std::filesystem::path broken = std::filesystem::temp_directory_path() / "skelrt-broken-nvrtc.so";
    std::ofstream{broken} << "no library";
    CHECK_THAT(open_nvrtc({broken.string()}).missing, Contains(broken.string() + ": "));
    std::filesystem::remove(broken);
}
