// chrF's part of the door.
#include "bindings.hpp"
#include "python_objects.hpp"

namespace bleuprint {

void bind_chrf(nb::module_&) {}

}  // namespace bleuprint
