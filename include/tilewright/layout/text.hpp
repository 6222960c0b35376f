// Layouts as text, both ways.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/text_reader.hpp"
#include "tilewright/layout/text_writer.hpp"
