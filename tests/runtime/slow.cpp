// SPDX-License-Identifier: BSD-3-Clause
// slow.cpp FILE [SECONDS]: a call that goes on until the file is there, or for so many seconds.
#include <skelrt/skelrt.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace sk = skelrt;

namespace
{

std::string file;
std::chrono::duration<double> longest{60};
std::chrono::steady_clock::time_point begun;

/// For the host alone.
float slow(float x)
{
    using namespace std::chrono_literals;
    while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() - begun < longest)
        std::this_thread::sleep_for(20ms);
    return x + 1;
}

} // namespace

int main(int argc, char** argv)
{
    file = argc > 1 ? argv[1] : "";
    if (argc > 2) longest = std::chrono::duration<double>(std::atof(argv[2]));
    const sk::runtime rt;
    begun = std::chrono::steady_clock::now();
    sk::vector<float> x(3, 1.0f);
    x = sk::map(SKELRT_FN((float v) { return slow(v); }))(x);
    const auto seen = sk::host_read(x);
    return seen[2] == 2 ? 0 : 1;
}
