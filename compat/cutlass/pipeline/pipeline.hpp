// All pipelines: those of SM90.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/pipeline/sm90_pipeline.hpp"
