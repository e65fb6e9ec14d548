#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"

namespace skelrt::detail::cpu
{

void map(const work& w, std::size_t first, std::size_t last) { for_each_piece(w, first, last, w.what.cpu.map); }

} // namespace skelrt::detail::cpu
