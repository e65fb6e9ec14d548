#pragma once

#include "kernels.hpp"

/// The launchers of the skeletons, one file each.
namespace skelrt::detail::opencl
{

void launch_map(const work& w, kernels& k, cl_command_queue queue);
void launch_reduce(const work& w, kernels& k, cl_command_queue queue);
void launch_rows(const work& w, kernels& k, cl_command_queue queue);
void launch_columns(const work& w, kernels& k, cl_command_queue queue);
void launch_scan(const work& w, kernels& k, cl_command_queue queue);
void launch_scan_rows(const work& w, kernels& k, cl_command_queue queue);
void launch_scan_columns(const work& w, kernels& k, cl_command_queue queue);

std::size_t reduce_scratch(const recipe& what);
std::size_t columns_scratch(const recipe& what, std::size_t columns);
std::size_t scan_scratch(const recipe& what, std::size_t columns);

} // namespace skelrt::detail::opencl
