// must say: a host view needs a container
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float f(const sk::matrix<float>& m) { return sk::host(m.row(1))[0]; }
