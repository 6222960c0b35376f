// oneDNN as a peer: one reorder primitive a case, made beforehand. Formats that oneDNN has a name for are given by that
// name, all others as strides.
#include "party.hpp"

#include <fmt/core.h>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

namespace tilewright::bench {
namespace {

using dnnl::memory;

/// A type of as many bits; oneDNN has none of 64.
memory::data_type type_of(permute_case const& one) {
  switch (one.element_bytes()) {
    case 1: return memory::data_type::u8;
    case 2: return memory::data_type::bf16;
    case 4: return memory::data_type::f32;
    default: return memory::data_type::undef;
  }
}

memory::format_tag tag_of(std::string const& format) {
  if (format == "nchw") return memory::format_tag::nchw;
  if (format == "nhwc") return memory::format_tag::nhwc;
  if (format == "nChw16c") return memory::format_tag::nChw16c;
  return memory::format_tag::undef;
}

struct side {
  memory::desc src, dst;
};

side described(work const& job, memory::data_type type) {
  if (job.one->format) {
    auto const& [dims, src, dst] = *job.one->format;
    auto const from = tag_of(src), to = tag_of(dst);
    if (from != memory::format_tag::undef && to != memory::format_tag::undef)
      return {memory::desc(dims, type, from), memory::desc(dims, type, to)};
  }
  memory::dims extents, src, dst;
  for (mode const& m : job.all) {
    extents.push_back(m.extent);
    src.push_back(m.src);
    dst.push_back(m.dst);
  }
  return {memory::desc(extents, type, src), memory::desc(extents, type, dst)};
}

class onednn final : public local_party {
 public:
  std::string name() const override { return "onednn"; }
  std::string prepare(work const& job) override {
    job_ = job;
    auto const type = type_of(*job.one);
    if (!has_positive_strides(job.all)) return "oneDNN's strides are positive";
    if (type == memory::data_type::undef) return fmt::format("no type of {} bytes", job.one->element_bytes());
    omp_set_num_threads(job.threads->threads());
    try {
      side const both = described(job, type);
      src_ = memory(both.src, engine_, const_cast<std::byte*>(job.src_start()));
      dst_ = memory(both.dst, engine_, job.dst_start());
      reorder_ = dnnl::reorder(src_, dst_);
    } catch (dnnl::error const& e) {
      return e.message;
    }
    return {};
  }

 protected:
  void copy() override {
    reorder_.execute(stream_, src_, dst_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory src_, dst_;
  dnnl::reorder reorder_;
};

}  // namespace

std::unique_ptr<party> make_onednn() { return std::make_unique<onednn>(); }

}  // namespace tilewright::bench
