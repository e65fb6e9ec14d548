#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"

namespace skelrt::detail::cpu
{

void map(const work& w, std::size_t first, std::size_t last)
{
    for_each_piece(w, first, last, [&](const cpu_block& b) { run_streaming(w, b, w.what.cpu.map); });
}

} // namespace skelrt::detail::cpu
