// must say: only map calls nest inside a call
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    const auto some = sk::filter(SKELRT_FN((int a) { return a > 0; }));
    y = sk::map(SKELRT_FN((int a) { return 2 * a; }))(some(x));
}
