// must say: each change of a container's size copies all of it
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x) { x.push_back(1.0f); }
