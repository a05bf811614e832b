// chrF.
#include "metric_bindings.hpp"

namespace bleuprint {

void bind_chrf(nb::module_& module) { bind_metric<ChrfKernel>(module, "ChrfKernel"); }

}  // namespace bleuprint
