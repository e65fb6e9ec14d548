// SPDX-License-Identifier: BSD-3-Clause
/// What is written and read: the same files whatever the number of ranks. files FOLDER, alone or under mpirun. Exit
/// code 0 if all is as it should be.

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace sk = skelrt;

namespace
{

int failures = 0;
std::string folder;

void expect(const std::string& what, bool good)
{
    if (good) return;
    ++failures;
    std::fprintf(stderr, "rank %d: %s\n", sk::rank(), what.c_str());
}

std::string file_of(const std::string& name) { return folder + "/" + name + ".npy"; }

std::string bytes_of(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Of a file, behind its header.
std::string elements_of(const std::string& file)
{
    const std::string all = bytes_of(file);
    const std::size_t header = all.find('\n');
    return header == std::string::npos ? "" : all.substr(header + 1);
}

template <class Container>
std::string elements_of(const Container& x)
{
    const auto seen = sk::host_read(x);
    std::string bytes(seen.size() * sizeof(typename Container::value_type), ' ');
    if (!bytes.empty()) std::memcpy(bytes.data(), seen.data(), bytes.size());
    return bytes;
}

template <class Container>
void number(Container& x)
{
    const auto to = sk::host_write(x);
    for (std::size_t i = 0; i < to.size(); ++i)
        to.data()[i] = static_cast<typename Container::value_type>(static_cast<float>(i % 2000));
}

/// Written, read into a container of another shape, and into one of the same.
template <class Container>
void goes_and_comes(const std::string& name, Container x)
{
    const std::string file = file_of(name);
    number(x);
    sk::write(x, file);
    const std::string wanted = elements_of(x);
    expect(name + ": the file's elements", elements_of(file) == wanted);
    Container fresh;
    sk::read(fresh, file);
    expect(name + ": read into a new one", fresh.size() == x.size() && elements_of(fresh) == wanted);
    { // another's elements go
        const auto to = sk::host_write(x);
        std::fill(to.begin(), to.end(), typename Container::value_type{});
    }
    sk::read(x, file);
    expect(name + ": read where it was", elements_of(x) == wanted);
}

template <class T>
void type(const std::string& name)
{
    goes_and_comes(name, sk::vector<T>(1003));
}

void types()
{
    type<bool>("bool"), type<char>("char"), type<signed char>("signed char"), type<unsigned char>("unsigned char");
    type<short>("short"), type<unsigned short>("unsigned short"), type<int>("int"), type<unsigned>("unsigned");
    type<long>("long"), type<unsigned long>("unsigned long"), type<long long>("long long");
    type<sk::half>("half"), type<float>("float"), type<double>("double"), type<long double>("long double");
}

void shapes()
{
    for (const std::size_t n : {0, 1, 2, 5, 4096}) {
        goes_and_comes("vector of " + std::to_string(n), sk::vector<float>(n));
        goes_and_comes("matrix of " + std::to_string(n), sk::matrix<double>(n, 3));
        goes_and_comes("cube of " + std::to_string(n), sk::tensor<int, 3>(n, 2, 3));
    }
    goes_and_comes("four axes", sk::tensor<short, 4>(5, 4, 3, 2));
    goes_and_comes("no columns", sk::matrix<int>(7, 0));
}

/// What tasks have written goes to the file, and what comes from it goes to tasks.
void calls()
{
    auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));
    sk::vector<int> x(50021, 3), y;
    x = twice(x);
    x = twice(x);
    sk::write(x, file_of("calls"));
    sk::read(y, file_of("calls"));
    y = twice(y);
    const long sum = static_cast<int>(sk::reduce(sk::plus, 0)(y));
    expect("calls before and after", sum == 24L * 50021);
}

/// What cannot be computed leaves the old file.
void faults()
{
    const auto positive = sk::map(SKELRT_FN((int v) {
        if (v < 0) throw std::runtime_error("a negative number");
        return v;
    }));
    sk::vector<int> x(1000, 1);
    const std::string file = file_of("faults");
    sk::write(x, file);
    const std::string old = bytes_of(file);
    {
        const auto to = sk::host_write(x);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = i == 999 ? -1 : 1; // on the last rank
    }
    std::string said;
    try {
        x = positive(x);
        sk::write(x, file);
    } catch (const std::exception& e) {
        said = e.what();
    }
    expect("a fault: " + said, said.find("a negative number") != std::string::npos);
    sk::barrier();
    expect("the old file stays", bytes_of(file) == old && bytes_of(file + ".unfinished").empty());
}

template <class Call>
void refused(const std::string& what, const std::string& text, Call call)
{
    std::string said = "no error";
    try {
        call();
    } catch (const sk::error& e) {
        said = e.what();
    }
    expect(what + ": " + said, said.find(text) != std::string::npos && said.find("files.cpp:") != std::string::npos);
}

void errors()
{
    sk::vector<float> x(100, 1.0f);
    sk::matrix<float> m(10, 10);
    sk::vector<double> d;
    sk::write(x, file_of("good"));
    refused("another type", "its elements are <f4, and the container's <f8", [&] { sk::read(d, file_of("good")); });
    refused("other axes", "its array has 1 axes (100,), and the container 2", [&] { sk::read(m, file_of("good")); });
    refused("no file", "it cannot be opened: No such file", [&] { sk::read(x, file_of("nowhere")); });
    refused("no folder", "it cannot be opened: No such file", [&] { sk::write(x, folder + "/nowhere/x.npy"); });
    if (sk::rank() == 0) {
        const std::string good = bytes_of(file_of("good"));
        std::ofstream(file_of("short"), std::ios::binary) << good.substr(0, good.size() - 1);
        std::ofstream(file_of("text")) << "not an array";
    }
    sk::barrier();
    refused("cut off", "it is cut off: an array of (100,) takes 400 bytes, and 399 are there",
            [&] { sk::read(x, file_of("short")); });
    refused("text", "numpy.save", [&] { sk::read(x, file_of("text")); });
    expect("what was refused changes nothing", elements_of(x) == elements_of(file_of("good")));
    expect("nothing is left behind", bytes_of(file_of("good") + ".unfinished").empty());
}

} // namespace

int main(int, char** argv)
{
    folder = argv[1];
    std::filesystem::create_directories(folder);
    const sk::vector<int> before(10, 7); // every rank has all of it
    const sk::runtime rt;
    sk::write(before, file_of("before"));
    expect("a container of every rank", elements_of(file_of("before")).size() == 10 * sizeof(int));
    types();
    shapes();
    calls();
    faults();
    errors();
    sk::barrier();
    if (sk::rank() == 0) std::filesystem::remove_all(folder);
    return failures > 0;
}
