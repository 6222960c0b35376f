// What explain and check are asked about: a layout, a tiled copy or a plan, described by the same words to both.
#pragma once

#include "apps/cli/command.hpp"
#include "apps/cli/copy_options.hpp"
#include "tilewright/analysis/copy_report.hpp"
#include "tilewright/analysis/layout_report.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <string>
#include <variant>

namespace tilewright::cli {

struct layout_subject {
  analysis::layout_question question{};
};
struct copy_subject {
  analysis::copy_question question{};
};
struct plan_subject {
  copy_request request{};
  copy_plan plan{};
};
using subject = std::variant<layout_subject, copy_subject, plan_subject>;

struct subject_texts {
  words layouts;
  copy_texts copy;
  std::string to, space, align, tile, machine, threads;
  bool cp_async = false;
};

/// Adds the layouts and the options; the texts outlive the app.
void add_subject_options(CLI::App& app, subject_texts& texts);

/// --thr and the like: a tiled copy; one layout: that; two: a plan.
/// error: usage_error, text_error, layout_error, copy_error
subject read_subject(std::string const& verb, subject_texts const& texts);

}  // namespace tilewright::cli
