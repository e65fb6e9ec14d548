// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/trial.hpp"

#include <skelrt/host.hpp>

#include <random>
#include <utility>

#include <fmt/format.h>

namespace farm
{
namespace
{

struct options : apps::common_options {
    std::size_t count = 8, size = 400; ///< plates, and pictures; rows and columns of each
};

template <class Container>
Container noise(Container made, float low, float high, std::mt19937& random)
{
    std::uniform_real_distribution<float> some(low, high);
    for (float& v : skelrt::host_write(made)) v = some(random);
    return made;
}

/// Plates and pictures of size x size elements, and as long a signal; the same each time.
samples make_samples(const options& o)
{
    std::mt19937 random(1977);
    const auto made = [&] { return noise(grid(o.size, o.size, skelrt::uninitialized), 0, 1, random); };
    samples all;
    for (std::size_t k = 0; k < o.count; ++k) {
        all.plates.push_back(made());
        all.pictures.push_back({made(), made(), made()});
    }
    all.signal = noise(series(o.size * o.size, skelrt::uninitialized), -1, 1, random);
    return all;
}

/// Relative to each value.
apps::comparison compare(const findings& got, const findings& right)
{
    apps::comparison result{1e-4};
    for (std::size_t i = 0; i < right.size(); ++i)
        result.add(got[i], right[i], right[i], [&] { return fmt::format("finding {}", i); });
    return result;
}

int run(const options& o)
{
    const samples data = make_samples(o); // before the runtime: every rank has all samples
    findings right;
    if (o.check) right = plain_findings(data);
    const skelrt::runtime rt;
    std::vector<apps::trial> all;
    for (const auto& [way, study] : {std::pair{"calls", &study_in_turn}, std::pair{"farms", &study_at_once}}) {
        fmt::print("{0} plates, {0} pictures of {1} x {1} and a signal, by {2}\n\n", o.count, o.size, way);
        apps::trial& t = all.emplace_back(std::string("farm_") + way, o, rt);
        t.on_each([&, study = study](apps::turn& now) {
            findings found;
            now.time([&] { found = study(data); });
            now.check([&] { return compare(found, right); });
        });
        t.tell({{"way", way}, {"count", o.count}, {"size", o.size}},
               {{"studies/s", static_cast<double>(4 * o.count + 3), "studies_per_s"}},
               {"values by plain loops", "", "themselves"});
        fmt::print("\n");
    }
    const int code = apps::finish(o, all);
    // Of the last device: all at once, if there are several.
    fmt::print("figure: farm_speedup {:.3f}\n", all[0].rows().back().median() / all[1].rows().back().median());
    return code;
}

} // namespace
} // namespace farm

int main(int argc, char** argv)
{
    farm::options o;
    apps::command_line line(
        "farm",
        "Studies plates that cool down, pictures and a signal: first by skeleton calls one after the "
        "other, then by farms.\nOne farm has an item for each kind, these have farms over plates and "
        "pictures, and a picture has one of colours.",
        {}, o);
    line.range("--count", o.count, 1, 10'000, "plates, and pictures");
    line.range("--size", o.size, 1, 1 << 14, "rows and columns of each");
    return apps::run_program(line, argc, argv, [&] { return farm::run(o); });
}
