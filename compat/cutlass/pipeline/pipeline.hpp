// All pipelines.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/pipeline/sm100_pipeline.hpp"
#include "cutlass/pipeline/sm90_pipeline.hpp"
