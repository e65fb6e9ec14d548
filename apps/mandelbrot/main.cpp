// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/program/devices.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace mandelbrot
{
namespace
{

struct options : apps::common_options {
    std::array<std::size_t, 2> size{4096, 3072}; ///< columns, rows
    frame part;
    int iterations = 1024;
    std::size_t shrink = 1;          ///< pixels of the result, in each direction, that become one of the PNG file
    std::vector<std::size_t> groups; ///< sizes of blocks of threads, groups of work-items
};

using pixels = skelrt::matrix<pixel>;

apps::measurement measure_rival(const view& v, const options& o)
{
    pixels picture(o.size[1], o.size[0], skelrt::uninitialized);
    const rival::problem p{picture.rows(), picture.cols(), v.x, v.y, v.step, v.limit};
    auto result = apps::rival::measure(o, [&](int untimed, int repeat, auto* seconds) {
        const auto to = skelrt::host_write(picture);
        return rival::run(p, untimed, repeat, seconds, &to.data()->r);
    });
    if (o.check) result.check = compare(picture, v);
    return result;
}

/// With --groups those that have any.
std::vector<std::string> devices_of(const options& o, const skelrt::runtime& rt)
{
    auto devices = apps::devices_for(o.device, rt);
    if (o.groups.empty()) return devices;
    std::erase_if(devices, [](const auto& device) { return device != "cuda" && device != "opencl"; });
    if (devices.empty())
        throw apps::input_error("--groups: neither a CUDA device nor one of OpenCL is asked for and in use here");
    return devices;
}

/// By an execution plan, on the first device of the kind.
apps::measurement measure_in_groups(const std::string& device, std::size_t group, const view& v, const options& o,
                                    const skelrt::runtime& rt)
{
    const auto kind = device == "cuda" ? skelrt::device::cuda : skelrt::device::opencl;
    const skelrt::follow plan(skelrt::plan({{.kind = kind, .block = static_cast<unsigned>(group)}}));
    pixels picture(o.size[1], o.size[0], skelrt::uninitialized);
    auto result = apps::measure(device, rt, o, [&] {
        compute(picture, v);
        skelrt::wait(picture);
    });
    if (o.check) result.check = compare(picture, v);
    result.device += fmt::format(" {}", group);
    return result;
}

apps::image image_of(const pixels& picture)
{
    apps::image result(picture.cols(), picture.rows());
    std::uint8_t* to = result.bytes.data();
    for (const pixel& p : skelrt::host_read(picture))
        for (const unsigned char colour : {p.r, p.g, p.b}) *to++ = colour;
    return result;
}

int run(const options& o)
{
    const view v = view_of(o.part, o.size[0], o.size[1], o.iterations);
    const skelrt::runtime rt;
    const auto devices = devices_of(o, rt);
    apps::trial t("mandelbrot", o, rt, devices);
    fmt::print("{} x {} pixels of the Mandelbrot set around {} + {}i, {} wide; at most {} iterations\n\n", o.size[0],
               o.size[1], o.part.x, o.part.y, o.part.width, o.iterations);
    t.on_each([&](apps::turn& now) {
        pixels picture(o.size[1], o.size[0], skelrt::uninitialized); // a new one for each device
        now.time([&] {
            compute(picture, v);
            skelrt::wait(picture);
        });
        now.check([&] { return compare(picture, v); });
        now.picture([&] { return apps::shrunk(image_of(picture), o.shrink); });
    });
    for (const auto& device : devices)
        for (const std::size_t group : o.groups) t.add(measure_in_groups(device, group, v, o, rt));
    if (o.rival) t.add(measure_rival(v, o));
    t.figure("gpu_mandelbrot_vs_hand", "cuda", "rival");
    return t.report({{"columns", o.size[0]},
                     {"rows", o.size[1]},
                     {"x", o.part.x},
                     {"y", o.part.y},
                     {"width", o.part.width},
                     {"iterations", o.iterations}},
                    {{"Mpixels/s", 1e-6 * static_cast<double>(o.size[0] * o.size[1]), "pixels_per_s", 1e6}},
                    {"pixels in double precision", "", "all of them", "wrong ones"});
}

} // namespace
} // namespace mandelbrot

int main(int argc, char** argv)
{
    mandelbrot::options o;
    apps::command_line line("mandelbrot",
                            "The Mandelbrot set as a picture: the escape time of each pixel by one sk::map with its "
                            "position, coloured by a second\nthat fuses with it, on the devices that you choose.",
                            {true, "write the picture to this PNG file"}, o);
    line.sizes("--size", o.size, 1 << 16, "pixels: columns,rows or one number");
    line.range("--x", o.part.x, -100, 100, "real part of the middle");
    line.range("--y", o.part.y, -100, 100, "imaginary part of the middle");
    line.range("--width", o.part.width, 1e-12, 100, "of the part of the plane that is shown");
    line.range("--iterations", o.iterations, 1, 1 << 24, "a point that stays so long is inside; rounded up to eights");
    line.range("--shrink", o.shrink, 1, 64, "N x N pixels become one of the PNG file: smooth edges");
    line.positive("--groups", o.groups,
                  "sizes of blocks of threads and groups of work-items: GPUs and OpenCL devices run each, too");
    line.check([&] {
        for (const std::size_t n : o.groups)
            if (n % 32 != 0 || n > 1024)
                throw apps::input_error(fmt::format("--groups {}: multiples of 32 up to 1024", n));
    });
    return apps::run_program(line, argc, argv, [&] { return mandelbrot::run(o); });
}
