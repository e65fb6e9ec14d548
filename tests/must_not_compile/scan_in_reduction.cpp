// must say: a reduction takes a container, a view or a map call
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(const sk::vector<int>& x) { return sk::reduce(sk::plus, 0)(sk::scan(sk::plus)(x)); }
