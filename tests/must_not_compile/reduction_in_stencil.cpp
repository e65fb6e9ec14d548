// must say: only map calls nest inside a call
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    const auto left = sk::stencil(SKELRT_FN((sk::hood1<int> u, int s) { return s + u(-1); }), sk::border::cyclic());
    y = left(x, sk::reduce(sk::plus, 0)(x));
}
