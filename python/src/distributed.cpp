// Distributed layouts for Python, and a rank's share of a redistribution as messages that Python sends.
#include "python/src/distributed.hpp"
#include "python/src/module.hpp"

#include "distributed/packer.hpp"
#include "tilewright/distributed/exchange.hpp"
#include "tilewright/distributed/topology.hpp"
#include "tilewright/layout/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>
#include <algorithm>
#include <numeric>

namespace tilewright::python {

distributed_layout read_distributed(std::string const& text) {
  try {
    return parse_distributed(text);
  } catch (text_error const& e) {
    throw layout_refusal(std::string(e.what()) + "\n" + e.caret());
  } catch (copy_error const& e) {
    throw layout_refusal(e.what());
  }
}

namespace {

template <class Answer>
auto refusing(Answer const& answer) {
  try {
    return answer();
  } catch (copy_error const& e) {
    throw layout_refusal(e.what());
  } catch (std::invalid_argument const& e) {
    throw layout_refusal(e.what());
  }
}

std::vector<placement> placements_of(std::vector<std::string> const& words) {
  std::vector<placement> out;
  for (std::string const& w : words) out.push_back(parse_placement(w));
  return out;
}

distributed_layout whole_on(std::vector<std::int64_t> const& shape, int ranks, int root) {
  distributed_layout out = distribute(shape, {1}, {replicate()});
  out.ranks = ranks;
  out.on.resize(static_cast<std::size_t>(ranks));
  std::iota(out.on.begin(), out.on.end(), 0);
  if (root < 0 || root >= ranks)
    throw copy_error(copy_errc::bad_layout,
                     fmt::format("rank {} is outside of the {} ranks (0 to {})", root, ranks, ranks - 1));
  std::swap(out.on[0], out.on[static_cast<std::size_t>(root)]);
  return out;
}

/// One rank's messages: what they hold is packed from, and unpacked into, arrays of Python.
class exchange {
 public:
  exchange(distributed_layout const& src, distributed_layout const& dst, int rank, std::int64_t item_bytes,
           std::int64_t message_bytes, int threads)
      : of_(items_of(item_bytes)),
        src_(in_items(src, of_)),
        dst_(in_items(dst, of_)),
        threads_(threads) {
    limits_ = {bits_of(of_.type), message_bytes, message_bytes, src.swizzle.bits != 0, dst.swizzle.bits != 0};
    if (rank < std::max(src.ranks, dst.ranks)) plan_ = plan_exchange(src_, dst_, rank);
    for (transfer const& t : plan_.sends) append(sends_, t);
    for (transfer const& t : plan_.receives) append(receives_, t);
    append(own_, plan_.own);
    src_bytes_ = distributed::bytes_of(local_span(src_, rank), limits_.element_bits);
    dst_bytes_ = distributed::bytes_of(local_span(dst_, rank), limits_.element_bits);
  }

  /// [(other rank, bytes)], in the order in which they are sent, or received.
  static std::vector<std::pair<int, std::int64_t>> list(std::vector<distributed::chunk> const& chunks, bool sends) {
    std::vector<std::pair<int, std::int64_t>> out;
    for (distributed::chunk const& c : chunks) out.emplace_back(sends ? c.to : c.from, c.bytes);
    return out;
  }
  auto sends() const { return list(sends_, true); }
  auto receives() const { return list(receives_, false); }

  void pack(std::size_t i, py::handle src, py::handle message) const {
    array_view const from = view_of(src, access::read), to = view_of(message, access::write);
    distributed::chunk const& c = sends_.at(i);
    std::byte* const out = dense_memory(to, c.bytes, "message");
    distributed::packer const copies = packer_of(&from, nullptr);
    py::gil_scoped_release const free;
    copies.pack(c, out);
  }
  void unpack(std::size_t i, py::handle message, py::handle dst) const {
    array_view const from = view_of(message, access::read), to = view_of(dst, access::write);
    distributed::chunk const& c = receives_.at(i);
    std::byte const* const in = dense_memory(from, c.bytes, "message");
    distributed::packer const copies = packer_of(nullptr, &to);
    py::gil_scoped_release const free;
    copies.unpack(c, in);
  }
  void copy_own(py::handle src, py::handle dst) const {
    if (own_.empty()) return;
    array_view const from = view_of(src, access::read), to = view_of(dst, access::write);
    distributed::packer const copies = packer_of(&from, &to);
    py::gil_scoped_release const free;
    for (distributed::chunk const& c : own_) copies.copy_own(c);
  }
  std::int64_t source_bytes() const { return src_bytes_; }
  std::int64_t destination_bytes() const { return dst_bytes_; }
  std::int64_t sent() const { return plan_.sent() / of_.count; }
  std::int64_t bound() const { return plan_.bound() / of_.count; }

 private:
  void append(std::vector<distributed::chunk>& to, transfer const& t) const {
    for (distributed::chunk& c : distributed::cut(t, limits_)) to.push_back(std::move(c));
  }
  distributed::packer packer_of(array_view const* src, array_view const* dst) const {
    distributed::memory_side from{nullptr, src_.swizzle, src_bytes_}, to{nullptr, dst_.swizzle, dst_bytes_};
    if (src != nullptr) from.pointer = dense_memory(*src, src_bytes_, "source");
    if (dst != nullptr) to.pointer = dense_memory(*dst, dst_bytes_, "destination");
    return {limits_, from, to, of_.type, threads_};
  }

  items of_;
  distributed_layout src_, dst_;
  distributed::chunk_limits limits_;
  rank_plan plan_;
  std::vector<distributed::chunk> sends_, receives_, own_;
  std::int64_t src_bytes_ = 0, dst_bytes_ = 0;
  int threads_ = 1;
};

void bind_layout_class(py::module_& m) {
  using D = distributed_layout;
  py::class_<D>(m, "DistributedLayout")
      .def(py::init(&read_distributed))
      .def("__str__", [](D const& a) { return to_text(a); })
      .def("__eq__", [](D const& a, D const& b) { return a == b; })
      .def_readonly("ranks", &D::ranks)
      .def_property_readonly("shape", [](D const& a) { return py::tuple(py::cast(shape_of(a))); })
      .def("local_shape", [](D const& a, int rank) { return py::tuple(py::cast(local_shape(a, rank))); })
      .def("local_strides",
           [](D const& a, int rank) -> py::object {
             std::vector<std::int64_t> const s = local_strides(a, rank);
             if (s.size() != a.axes.size()) return py::none();
             return py::tuple(py::cast(s));
           })
      .def("local_span", [](D const& a, int rank) { return local_span(a, rank); })
      .def_readonly("offset", &D::offset)
      .def("places",
           [](D const& a, std::vector<std::int64_t> const& x) {
             return refusing([&] {
               std::vector<std::pair<int, std::int64_t>> out;
               for (place const& p : places_of(a, x)) out.emplace_back(p.rank, p.offset);
               return out;
             });
           })
      .def("packed", [](D const& a, bool column_major) {
        return refusing(
            [&] { return packed_in(a, column_major ? local_order::column_major : local_order::row_major); });
      });
}

void bind_constructors(py::module_& m) {
  m.def("distribute", [](std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                         std::vector<std::string> const& words, bool column_major) {
    return refusing([&] {
      return distribute(shape, mesh, placements_of(words),
                        column_major ? local_order::column_major : local_order::row_major);
    });
  });
  m.def("from_dtensor", [](std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                           std::vector<std::string> const& words, std::vector<int> const& ranks) {
    return refusing([&] { return from_dtensor(shape, mesh, placements_of(words), ranks); });
  });
  m.def("from_scalapack", [](std::vector<std::int64_t> const& d, int rows, int columns, bool column_major_grid) {
    return refusing([&] {
      if (d.size() != 9 || d[0] != 1)
        throw copy_error(copy_errc::bad_layout,
                         fmt::format("({}) is no descriptor of a dense matrix: it has 9 integers, the first of them 1",
                                     fmt::join(d, ", ")));
      return from_scalapack({d[2], d[3], d[4], d[5], static_cast<int>(d[6]), static_cast<int>(d[7]), d[8]}, rows,
                            columns, column_major_grid);
    });
  });
  m.def("relabelled", [](distributed_layout const& src, distributed_layout const& dst) {
    return refusing([&] { return relabelled(src, dst); });
  });
  m.def("whole_on", [](std::vector<std::int64_t> const& shape, int ranks, int root) {
    return refusing([&] { return whole_on(shape, ranks, root); });
  });
}

}  // namespace

std::byte* dense_memory(array_view const& a, std::int64_t bytes, char const* role) {
  if (bytes == 0) return static_cast<std::byte*>(a.data);
  if (a.where.kind != device_kind::cpu)
    throw py::value_error(fmt::format("the {} is on a GPU; give memory of the CPU, x.cpu()", role));
  std::vector<std::size_t> axes(a.shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::sort(axes.begin(), axes.end(), [&](std::size_t i, std::size_t j) { return a.strides[i] < a.strides[j]; });
  if (std::find(a.shape.begin(), a.shape.end(), 0) != a.shape.end()) {
    throw py::value_error(fmt::format("the {}, {}, has no elements, and this rank's part of the layout {} bytes", role,
                                      describe(a), bytes));
  }
  std::int64_t reach = a.item_bytes;
  for (std::size_t const i : axes) {
    if (a.shape[i] == 1) continue;
    if (a.strides[i] != reach)
      throw py::value_error(
          fmt::format("the {}, {}, is not contiguous; give a contiguous copy of it", role, describe(a)));
    reach *= a.shape[i];
  }
  if (reach < bytes)
    throw py::value_error(fmt::format("the {}, {}, has {} bytes, and this rank's part of the layout {}", role,
                                      describe(a), reach, bytes));
  return static_cast<std::byte*>(a.data);
}

void bind_distributed(py::module_& m) {
  m.def("address_of", [](py::handle array) {
    return array.is_none() ? std::uintptr_t{0} : reinterpret_cast<std::uintptr_t>(view_of(array, access::read).data);
  });
  m.def("check_writable", [](py::handle array) {
    if (!array.is_none()) view_of(array, access::write);
  });
  bind_layout_class(m);
  bind_constructors(m);
  using D = distributed_layout;
  m.def("traffic", [](D const& src, D const& dst) {
    return refusing([&] {
      std::vector<std::tuple<int, int, std::int64_t>> out;
      for (pair_traffic const& t : traffic_of(src, dst)) out.emplace_back(t.from, t.to, t.elements);
      return out;
    });
  });
  m.def("explain_exchange", [](D const& src, D const& dst, double bytes, std::string const& where, int rank) {
    return refusing([&] {
      explain_options options;
      options.rank = rank;
      return explain(src, dst, bytes, topology_named(where), options);
    });
  });
  m.def("exchange_json", [](D const& src, D const& dst, double bytes, std::string const& where) {
    return refusing([&] { return to_json(src, dst, bytes, topology_named(where)); });
  });
  m.def("exchange_svg", [](D const& src, D const& dst, double bytes) {
    return refusing([&] { return traffic_svg(src, dst, bytes); });
  });
  m.def("exchange_proof", [](D const& src, D const& dst) { return refusing([&] { return prove(src, dst).failure; }); });
  py::class_<exchange>(m, "Exchange")
      .def(py::init([](D const& src, D const& dst, int rank, std::int64_t item, std::int64_t message, int threads) {
        return refusing([&] { return exchange(src, dst, rank, item, message, threads); });
      }))
      .def_property_readonly("sends", &exchange::sends)
      .def_property_readonly("receives", &exchange::receives)
      .def("pack", &exchange::pack)
      .def("unpack", &exchange::unpack)
      .def("copy_own", &exchange::copy_own)
      .def_property_readonly("source_bytes", &exchange::source_bytes)
      .def_property_readonly("destination_bytes", &exchange::destination_bytes)
      .def_property_readonly("sent", &exchange::sent)
      .def_property_readonly("bound", &exchange::bound);
}

}  // namespace tilewright::python
