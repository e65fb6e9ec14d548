#include "source.hpp"

#include "src/function/cuda.hpp"

namespace skelrt::detail::cuda
{
namespace
{

std::string skeleton_text(skeleton kind)
{
    switch (kind) {
    case skeleton::map:
        return map_text;
    case skeleton::reduce:
        return std::string{ordered_text} + reduce_text;
    case skeleton::reduce_rows:
        return std::string{ordered_text} + reduce_rows_text;
    case skeleton::reduce_columns:
        return std::string{ordered_text} + reduce_columns_text;
    }
    return {};
}

} // namespace

std::string source_of(const parameter_layout& layout, bool as_written)
{
    return cuda_preamble() + cuda_functions(layout.what, as_written) + layout.text() + elements_text +
           readers_text(layout.shape) + skeleton_text(layout.what.kind);
}

} // namespace skelrt::detail::cuda
