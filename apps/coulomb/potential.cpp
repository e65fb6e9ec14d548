// SPDX-License-Identifier: BSD-3-Clause
#include "potential.hpp"

namespace coulomb
{

skelrt::vector<point_charge> charges_of(const molecule& m)
{
    skelrt::vector<point_charge> result(m.atoms.size(), skelrt::uninitialized);
    const auto to = skelrt::host_write(result);
    for (std::size_t i = 0; i < m.atoms.size(); ++i) {
        const auto& a = m.atoms[i];
        to[i] = {static_cast<float>(a.at[0]), static_cast<float>(a.at[1]), static_cast<float>(a.at[2]),
                 static_cast<float>(a.charge)};
    }
    return result;
}

std::vector<float> values_of(const field& f)
{
    std::vector<float> result;
    result.reserve(f.where.points());
    const auto from = skelrt::host_read(f.values);
    for (std::size_t row = 0; row < f.where.rows(); ++row) {
        const float* first = from[row].data()->v;
        result.insert(result.end(), first, first + f.where.size[0]);
    }
    return result;
}

} // namespace coulomb
