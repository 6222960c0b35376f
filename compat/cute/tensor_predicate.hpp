// The tensor of coordinates that predicates are made of is make_identity_tensor.
#pragma once

#include "cute/tensor_impl.hpp"
