// What each file of bindings puts into the module.
#pragma once

#include <nanobind/nanobind.h>

namespace bleuprint {

void bind_chrf(nanobind::module_& module);
void bind_ter(nanobind::module_& module);
void bind_token_ids(nanobind::module_& module);

}  // namespace bleuprint
