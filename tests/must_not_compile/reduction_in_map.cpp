// must say: only map calls nest inside a call; store a reduction in an sk::scalar first, anything else in a container
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    const auto add = sk::map(sk::plus);
    y = add(x, sk::reduce(sk::plus, 0)(x));
}
