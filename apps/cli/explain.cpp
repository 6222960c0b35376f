// tilewright explain: why a layout, a tiled copy or a plan is right, and why it is fast or slow.
#include "tilewright/analysis/explain.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/report_json.hpp"
#include "apps/cli/shared_options.hpp"
#include "apps/cli/subject.hpp"

#include <fmt/format.h>

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Says of a layout, a tiled copy or a plan what it does and why it is fast or slow, without running it.\n\n"
    "  tilewright explain '(8,8):(8,1)' --element f32 --machine sm_90\n"
    "  tilewright explain 'Sw<3,2,3> o 0 o (32,32):(32,1)'\n"
    "  tilewright explain '(32,4):(4,1)' --tile '(16,8)'\n"
    "  tilewright explain --atom-bits 128 --element f32 --thr '(4,8)' --val '(4,1)' --tensor '(16,8):(1,16)'\n"
    "  tilewright explain --atom-bits 128 --element f32 --thr '(16,2):(2,1)' --val '(1,4)' --tensor '(16,8):(8,1)' \\\n"
    "                     --space global,registers\n"
    "  tilewright explain --atom SM75_U32x4_LDSM_N --element f16 --thr '(8,4):(4,1)' --val '(4,2):(2,1)' \\\n"
    "                     --tensor '(32,64):(64,1)'\n"
    "  tilewright explain '(4096,4096):(4096,1)' '(4096,4096):(1,4096)' --element f32 --machine sm_90";

struct printer {
  bool as_json;

  void print(nlohmann::ordered_json const& values) const { say("{}\n", values.dump(2)); }
  void print(std::vector<std::string> const& lines) const {
    for (std::string const& line : lines) say("{}\n", line);
  }

  void operator()(layout_subject const& asked) const {
    analysis::layout_report const report = analysis::report_of(asked.question);
    if (as_json) return print(to_json(report));
    print(explain(report));
  }
  void operator()(copy_subject const& asked) const {
    analysis::copy_report const report = analysis::report_of(asked.question).value();
    if (as_json) return print(to_json(report));
    print(explain(report));
  }
  void operator()(plan_subject const& asked) const {
    if (as_json) return print(to_json(asked));
    std::string const text = explain(asked.plan);
    say("{}{}", text, text.empty() || text.back() != '\n' ? "\n" : "");
  }
};

}  // namespace

int run_explain(words const& given) {
  CLI::App app(introduction, "tilewright explain");
  subject_texts texts;
  bool json = false;
  add_subject_options(app, texts);
  add_result_options(app, json);
  if (!parse(app, given)) return success;
  std::visit(printer{json}, read_subject("explain", texts));
  return success;
}

}  // namespace tilewright::cli
