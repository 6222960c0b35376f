#include "engine/cuda/host_copy.hpp"

#include "engine/cuda/device_memory.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tilewright::gpu {
namespace {

using std::int64_t;

/// Bytes of a pinned buffer: long enough that starting a transfer costs little, short enough for a cache.
constexpr int64_t buffer_bytes = int64_t{4} << 20;

int64_t bytes_of(int64_t elements, element_type type) { return (elements * bits_of(type) + 7) / 8; }

/// The place of an element, which may be before the first.  pre: elements of whole bytes
std::byte* at_element(void* first, int64_t offset, element_type type) {
  return static_cast<std::byte*>(first) + offset * (bits_of(type) / 8);
}

bool is_plain(composed_value const& a) {
  if (a.swizzle.bits != 0 || !a.offset.is_static() || a.offset.number != 0) return false;
  for (int i = 0; i < a.layout.leaves; ++i)
    if (!a.layout.shape[i].is_static() || !a.layout.stride[i].is_static() || !a.layout.stride[i].basis().empty())
      return false;
  return true;
}

/// The leaves with more than one place, by growing |stride|.
std::vector<int> leaves_by_stride(layout_value const& a, bool repeats) {
  std::vector<int> out;
  for (int i = 0; i < a.leaves; ++i)
    if (a.shape[i].number > 1 && !(repeats && a.stride[i].number == 0)) out.push_back(i);
  std::stable_sort(out.begin(), out.end(),
                   [&](int x, int y) { return std::abs(a.stride[x].number) < std::abs(a.stride[y].number); });
  return out;
}

/// Two pinned buffers with an event each, which is recorded behind the transfer that uses the buffer.
class pinned_pair {
 public:
  explicit pinned_pair(gpu_device const& device) : device_(device) {
    driver_api const& api = *device.api;
    for (one& b : of_) {
      check(api, api.cuMemHostAlloc(&b.data, buffer_bytes, 1), "cuMemHostAlloc", "pin memory for copies to a GPU");
      check(api, api.cuEventCreate(&b.sent, 2), "cuEventCreate", "pin memory for copies to a GPU");
    }
  }
  ~pinned_pair() {
    for (one& b : of_) {
      if (b.sent != nullptr) device_.api->cuEventDestroy(b.sent);
      if (b.data != nullptr) device_.api->cuMemFreeHost(b.data);
    }
  }
  pinned_pair(pinned_pair const&) = delete;
  pinned_pair& operator=(pinned_pair const&) = delete;

  void* data(std::size_t i) const { return of_[i % 2].data; }
  void mark(std::size_t i, stream_handle stream) const {
    check(*device_.api, device_.api->cuEventRecord(of_[i % 2].sent, stream), "cuEventRecord", "copy over the link");
  }
  void wait(std::size_t i) const {
    check(*device_.api, device_.api->cuEventSynchronize(of_[i % 2].sent), "cuEventSynchronize", "copy over the link");
  }

 private:
  struct one {
    void* data = nullptr;
    event_handle sent = nullptr;
  };
  gpu_device const& device_;
  one of_[2];
};

/// The pairs that no copy uses at present; a copy takes one, so that copies of several threads do not wait for each other.
class pair_pool {
 public:
  static std::unique_ptr<pinned_pair> take(gpu_device const& device) {
    {
      std::lock_guard const lock(mutex());
      auto& idle = all()[&device];
      if (!idle.empty()) {
        auto out = std::move(idle.back());
        idle.pop_back();
        return out;
      }
    }
    return std::make_unique<pinned_pair>(device);
  }
  static void give_back(gpu_device const& device, std::unique_ptr<pinned_pair> pair) {
    std::lock_guard const lock(mutex());
    auto& idle = all()[&device];
    if (idle.size() < 4) idle.push_back(std::move(pair));
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  /// Never destroyed: at the end of the process the driver may be gone before.
  static std::map<gpu_device const*, std::vector<std::unique_ptr<pinned_pair>>>& all() {
    static auto& kept = *new std::map<gpu_device const*, std::vector<std::unique_ptr<pinned_pair>>>;
    return kept;
  }
};

/// A part of the host's tensor whose packed elements are contiguous and fit a buffer.
struct piece {
  composed_value host, packed;
  int64_t host_offset = 0, first = 0, elements = 0;  // in elements
};

void set_shape(composed_value& a, int leaf, int64_t extent) { a.layout.shape[leaf] = constant_leaf(extent); }

/// The pieces in the order of the link.  pre: the order is not that of a block
template <class Use>
void each_piece(composed_value const& host, link_order const& order, bool repeats, int64_t capacity, Use const& use) {
  piece one{host, composed(order.packed), 0, 0, 1};
  bool const swizzled = host.swizzle.bits != 0 || host.offset.number != 0;
  std::vector<int> const leaves = leaves_by_stride(order.packed, repeats);
  for (int i = 0; i < host.layout.leaves; ++i)
    if (std::find(leaves.begin(), leaves.end(), i) == leaves.end())
      set_shape(one.host, i, 1), set_shape(one.packed, i, 1);
  std::size_t split = 0;
  int64_t inner = 1;
  for (; split < leaves.size() && inner * order.packed.shape[leaves[split]].number <= capacity; ++split)
    inner *= order.packed.shape[leaves[split]].number;
  std::vector<int64_t> at(leaves.size(), 0);
  int64_t const run = split == leaves.size() ? 1 : std::max<int64_t>(1, capacity / inner);
  for (bool more = true; more;) {
    piece now = one;
    now.elements = inner;
    int64_t offset = host.offset.number;  // a swizzle changes offsets, so that a pointer in their middle is of no use
    for (std::size_t k = split; k < leaves.size(); ++k) {
      int const leaf = leaves[k];
      int64_t const extent = order.packed.shape[leaf].number;
      int64_t const taken = k == split ? std::min(run, extent - at[k]) : 1;
      set_shape(now.host, leaf, taken), set_shape(now.packed, leaf, taken);
      (swizzled ? offset : now.host_offset) += at[k] * host.layout.stride[leaf].number;
      now.first += at[k] * order.packed.stride[leaf].number;
      now.elements *= taken;
    }
    if (swizzled) now.host.offset = constant_leaf(offset);
    use(now);
    more = false;
    for (std::size_t k = split; k < leaves.size() && !more; ++k) {
      at[k] += k == split ? run : 1;
      more = at[k] < order.packed.shape[leaves[k]].number;
      if (!more) at[k] = 0;
    }
  }
}

layout_value row_of(int64_t count) {
  layout_value out{};
  out.open(1);
  out.add_leaf(constant_leaf(count), constant_leaf(1));
  return out;
}

/// Moves the elements of the host between its memory and the bytes `on_device`, in the order of the link.
class link_copy {
 public:
  link_copy(gpu_device const& device, link_order const& order, copy_options const& options)
      : device_(device),
        order_(order),
        stream_(static_cast<stream_handle>(options.stream)) {
    host_options_.threads = options.threads;
  }
  /// After an error, transfers may still use the buffers.
  ~link_copy() {
    if (buffers_) device_.api->cuStreamSynchronize(stream_);
  }
  link_copy(link_copy const&) = delete;
  link_copy& operator=(link_copy const&) = delete;

  /// To the device where `to_device`; else from it. The host's tensor is given as one that may be written.
  void run(tensor_view const& host, bool to_device, device_address on_device) {
    buffers_ = pair_pool::take(device_);
    element_ = host.element;
    if (order_.is_block) blocks(host, to_device, on_device);
    else pieces(host, to_device, on_device);
    finish();
    check(*device_.api, device_.api->cuStreamSynchronize(stream_), "cuStreamSynchronize", "copy over the link");
    pair_pool::give_back(device_, std::move(buffers_));
  }

 private:
  void blocks(tensor_view const& host, bool to_device, device_address on_device) {
    auto* const first = static_cast<std::byte*>(host.pointer) - bytes_of(order_.origin, element_);
    int64_t const all = bytes_of(order_.elements, element_);
    for (int64_t at = 0; at < all; at += buffer_bytes) {
      int64_t const count = std::min(buffer_bytes, all - at);
      tensor_view const there{first + at, composed(row_of(count)), element_type::b8, cpu};
      tensor_view const here{buffers_->data(next_), there.layout, element_type::b8, cpu};
      add(there, here, to_device, on_device + static_cast<device_address>(at), static_cast<std::size_t>(count));
    }
  }

  void pieces(tensor_view const& host, bool to_device, device_address on_device) {
    int64_t const capacity = buffer_bytes * 8 / bits_of(element_);
    each_piece(host.layout, order_, to_device, capacity, [&](piece const& p) {
      tensor_view there{at_element(host.pointer, p.host_offset, element_), p.host, element_, cpu};
      tensor_view const here{buffers_->data(next_), p.packed, element_, cpu};
      add(there, here, to_device, on_device + static_cast<device_address>(bytes_of(p.first, element_)),
          static_cast<std::size_t>(bytes_of(p.elements, element_)));
    });
  }

  void add(tensor_view const& there, tensor_view const& here, bool to_device, device_address address,
           std::size_t bytes) {
    driver_api const& api = *device_.api;
    auto const pinned = reinterpret_cast<device_address>(here.pointer);
    if (to_device) {
      if (next_ >= 2) buffers_->wait(next_);
      copy(there, here, host_options_);
      check(api, api.cuMemcpyAsync(address, pinned, bytes, stream_), "cuMemcpyAsync",
            "copy from the host to the device");
      buffers_->mark(next_++, stream_);
      return;
    }
    check(api, api.cuMemcpyAsync(pinned, address, bytes, stream_), "cuMemcpyAsync", "copy from the device to the host");
    buffers_->mark(next_++, stream_);
    finish();  // the part before this one, while this one is sent
    waiting_ = {here, there};
  }

  /// Unpacks the part that was sent before the latest.
  void finish() {
    if (!waiting_) return;
    std::size_t const of = waiting_unpacked_++;
    buffers_->wait(of);
    copy(waiting_->first, waiting_->second, host_options_);
    waiting_.reset();
  }

  gpu_device const& device_;
  link_order const& order_;
  stream_handle stream_;
  copy_options host_options_;
  element_type element_ = element_type::b8;
  std::unique_ptr<pinned_pair> buffers_;
  std::size_t next_ = 0, waiting_unpacked_ = 0;
  std::optional<std::pair<const_tensor_view, tensor_view>> waiting_;
};

/// Has the GPU's tensor the link's order?
bool is_in_order(composed_value const& on_device, link_order const& order) {
  if (!is_plain(on_device) || on_device.layout.leaves != order.packed.leaves) return false;
  for (int i = 0; i < order.packed.leaves; ++i) {
    if (on_device.layout.shape[i].number != order.packed.shape[i].number) return false;
    if (order.packed.shape[i].number > 1 && on_device.layout.stride[i].number != order.packed.stride[i].number)
      return false;
  }
  return true;
}

}  // namespace

link_order order_of_link(composed_value const& host, bool repeats) {
  link_order out;
  out.packed = host.layout;
  bool const plain = is_plain(host);
  std::vector<int> leaves;
  if (plain) leaves = leaves_by_stride(host.layout, repeats);
  else
    for (int i = 0; i < host.layout.leaves; ++i) leaves.push_back(i);
  bool block = plain;
  int64_t step = 1;
  for (int const leaf : leaves) {
    block = block && std::abs(host.layout.stride[leaf].number) == step;
    out.packed.stride[leaf] = constant_leaf(step);
    step *= host.layout.shape[leaf].number;
  }
  out.elements = step;
  out.is_block = block;
  if (!block) return out;
  for (int const leaf : leaves) {
    out.packed.stride[leaf] = host.layout.stride[leaf];
    int64_t const stride = host.layout.stride[leaf].number;
    if (stride < 0) out.origin -= stride * (host.layout.shape[leaf].number - 1);
  }
  return out;
}

void copy_over_link(gpu_device const& device, const_tensor_view const& src, tensor_view const& dst,
                    copy_options const& options, device_copy const& on_device) {
  bool const to_device = src.where.kind == device_kind::cpu;
  // The host's tensor is written where it is the destination alone.
  tensor_view const host =
      to_device ? tensor_view{const_cast<void*>(src.pointer), src.layout, src.element, src.where} : dst;
  link_order const order = order_of_link(host.layout, to_device);
  if (!order.is_block && bits_of(src.element) < 8)
    throw copy_error(
        copy_errc::bad_element,
        "elements of 4 bits cross between host and GPU only where the host's are one contiguous block; copy "
        "them to contiguous memory of the host first");
  // A destination whose elements share places is refused before anything is written.
  if (!to_device && !order.is_block) (void)plan_for({nullptr, composed(order.packed), src.element, cpu}, dst, {});
  current_context const scope(*device.api, device.primary);
  link_copy link(device, order, options);
  composed_value const& other = to_device ? dst.layout : src.layout;
  void const* const there = to_device ? dst.pointer : src.pointer;
  if (is_in_order(other, order))
    return link.run(
        host, to_device,
        reinterpret_cast<device_address>(there) - static_cast<device_address>(bytes_of(order.origin, src.element)));
  device_memory staging(device, static_cast<std::size_t>(bytes_of(order.elements, src.element)));
  tensor_view const packed{static_cast<std::byte*>(staging.data()) + bytes_of(order.origin, src.element),
                           composed(order.packed), src.element, to_device ? dst.where : src.where};
  if (!to_device) on_device(src, packed);
  link.run(host, to_device, reinterpret_cast<device_address>(staging.data()));
  if (to_device) on_device(packed, dst);
  check(*device.api, device.api->cuStreamSynchronize(static_cast<stream_handle>(options.stream)), "cuStreamSynchronize",
        "copy over the link");
}

}  // namespace tilewright::gpu
