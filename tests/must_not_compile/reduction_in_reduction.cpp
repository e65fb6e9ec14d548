// must say: a reduction takes a container, a view or a map call
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(const sk::matrix<int>& m)
{
    const auto sum = sk::reduce(sk::plus, 0);
    return sum(sum.by_row(m));
}
