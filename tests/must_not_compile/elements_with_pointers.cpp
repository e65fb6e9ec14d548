// must say: element_type<|trivially_copyable
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

#include <string>

sk::vector<std::string> words;
