// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

namespace bench
{

std::vector<user_program> all_user_programs()
{
    std::vector<user_program> all;
    for (const auto some : {stream_programs(), image_programs(), grid_programs(), linear_programs(),
                            particle_programs(), graph_programs(), table_programs(), farm_programs()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace bench
