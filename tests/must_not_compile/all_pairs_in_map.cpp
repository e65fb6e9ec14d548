// must say: only map calls nest inside a call
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::map(SKELRT_FN((int a) { return 2 * a; }))(sk::all_pairs(sk::multiplies, sk::plus)(m, m));
}
