// Every public operation once, on static and on run-time operands, for a compiler that is asked for many warnings
// (strict_warnings.py). What the operations compute is tested elsewhere; here they are only instantiated.
#include "tilewright/algebra/value_operations.hpp"
#include "tilewright/algorithm/cooperative_gemm.hpp"
#include "tilewright/algorithm/prefetch.hpp"
#include "tilewright/analysis/explain.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;

namespace {

template <class L>
void operations_on(L const& layout) {
  auto const tiler = make_tile(_2{}, _4{});
  (void)coalesce(layout);
  (void)filter(layout);
  (void)flatten(layout);
  (void)composition(layout, tiler);
  (void)logical_divide(layout, tiler);
  (void)zipped_divide(layout, tiler);
  (void)tiled_divide(layout, tiler);
  (void)flat_divide(layout, tiler);
  (void)append(layout, Layout<_2>{});
  (void)prepend(layout, Layout<_2>{});
  (void)select<0>(layout);
  (void)take<0, 1>(layout);
  (void)group<0, 1>(layout);
  (void)size(layout);
  (void)cosize(layout);
  (void)depth(layout);
  (void)rank(layout);
  (void)shape(layout);
  (void)stride(layout);
  (void)crd2idx(make_coord(1, 2), layout);
  (void)idx2crd(3, shape(layout));
  (void)layout(1, 2);
  (void)layout(_, 1);
  (void)layout(make_coord(1, _));
  (void)slice_and_offset(make_coord(1, _), layout);
  (void)max_common_vector(layout, layout);
  (void)make_layout_like(layout);
  (void)make_identity_layout(shape(layout));
  (void)make_ordered_layout(shape(layout), Step<_1, _0>{});
  (void)ceil_div(shape(layout), tiler);
  (void)elem_less(make_coord(1, 2), shape(layout));
  (void)compatible(shape(layout), shape(layout));
  (void)congruent(shape(layout), shape(layout));
  (void)(layout == layout);
}

void operations_on_static_layouts() {
  Layout<Shape<_4, _8>, Stride<_8, _1>> const layout;
  operations_on(layout);
  (void)complement(layout, _64{});
  (void)min(size(layout), 3);
  (void)max(size(layout), 3);
  (void)gcd(12, size<0>(layout));
  (void)round_up(size(layout), _4{});
  (void)logical_product(layout, Layout<_2>{});
  (void)zipped_product(layout, Layout<_2>{});
  (void)tiled_product(layout, Layout<_2>{});
  (void)flat_product(layout, Layout<_2>{});
  (void)right_inverse(layout);
  (void)left_inverse(layout);
  (void)nullspace(layout);
  (void)blocked_product(layout, Layout<Shape<_2, _2>>{});
  (void)raked_product(layout, Layout<Shape<_2, _2>>{});
  (void)tile_to_shape(layout, make_shape(_8{}, _16{}));
  (void)upcast<2>(layout);
  (void)downcast<2>(layout);
  (void)recast_bits<16, 32>(layout);
  (void)composition(Swizzle<2, 0, 3>{}, layout)(1, 2);
  (void)make_layout(layout, layout);
  print(layout);
  print_layout(layout);
}

template <class T>
void tensors_of(T* data, int rows, unsigned thread) {
  auto const tensor = make_tensor(make_gmem_ptr(data), make_shape(rows, _8{}), make_stride(_8{}, _1{}));
  auto const fixed = make_tensor(data, Layout<Shape<_16, _8>, Stride<_8, _1>>{});
  auto mine = make_tensor_like(fixed);
  auto fragment = make_fragment_like(local_partition(fixed, Layout<Shape<_4, _2>>{}, thread));
  clear(mine);
  clear(fragment);
  fill(mine, T(1));
  copy(fixed, mine);
  copy_if(make_tensor<bool>(Shape<_16, _8>{}), fixed, mine);
  transform(mine, [](T x) { return x; });
  transform(fixed, mine, [](T x) { return x; });
  transform(fixed, fixed, mine, [](T x, T) { return x; });
  (void)tensor(1, 2);
  (void)tensor(_, 1);
  (void)tensor[3];
  (void)local_tile(tensor, make_tile(_4{}, _4{}), make_coord(0, 1));
  (void)zipped_divide(tensor, make_tile(_4{}, _4{}));
  (void)domain_offset(make_coord(1, 0), tensor);
  (void)group_modes<0, 2>(fixed);
  (void)coalesce(fixed);
  (void)recast<std::uint64_t>(make_tensor(data, Layout<Shape<_16, _8>, Stride<_8, _1>>{}));
  cooperative_copy<32, 64>(thread, fixed, mine);
  print_tensor(mine);
}

void tensors(int rows, unsigned thread) {
  static float numbers[128];
  static std::uint16_t words[128];
  static unsigned char bytes[128];
  tensors_of(&numbers[0], rows, thread);
  tensors_of(&words[0], rows, thread);
  auto const narrow = make_tensor(subbyte_iterator<uint4b_t>(&bytes[0]), Layout<Shape<_8, _8>>{});
  narrow(1, 2) = uint4b_t(3);
  (void)make_identity_tensor(make_shape(rows, 4))(1, 2);
  (void)make_counting_tensor(make_layout(make_shape(rows, 4)))(1, 2);
}

void tiled_copies(float const* from, float* to, int thread) {
  auto const tiled =
      make_tiled_copy(Copy_Atom<UniversalCopy<word<128>>, float>{}, Layout<Shape<_8, _4>>{}, Layout<Shape<_4, _1>>{});
  auto const mine = tiled.get_slice(thread);
  auto const source = mine.partition_S(make_tensor(from, Layout<Shape<_32, _4>>{}));
  auto const target = mine.partition_D(make_tensor(to, Layout<Shape<_32, _4>>{}));
  copy(tiled, source, target);
  copy(AutoVectorizingCopyWithAssumedAlignment<128>{}, source, target);
  copy(DefaultCopy{}, source, target);
  auto const coordinates = mine.partition_S(make_identity_tensor(Shape<_32, _4>{}));
  copy(tiled, source, target, make_bounds(coordinates, make_shape(30, 4)));
  (void)tiled.get_layoutS_TV();
  (void)tiled.get_layoutD_MN();
  (void)mine.retile_S(make_fragment_like(source));
}

/// Through shared memory by cp.async.
struct staged {
  template <class Block, class S, class D>
  void operator()(Block& block, S const& source, D const& target) const {
    auto const shared = block.template shared<half_t>(Layout<Shape<_16, _16>, Stride<_16, _1>>{});
    auto const loads = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<128>>, half_t>{},
                                       Layout<Shape<_16, _2>, Stride<_2, _1>>{}, Layout<Shape<_1, _8>>{});
    auto const mine = loads.get_slice(block.thread());
    copy(loads, mine.partition_S(source), mine.partition_D(shared));
    cp_async_fence();
    cp_async_wait<0>();
    block.sync();
    copy(local_partition(shared, Layout<Shape<_16, _2>>{}, block.thread()),
         local_partition(target, Layout<Shape<_16, _2>>{}, block.thread()));
  }
};

void kernels(half_t* from, half_t* to) {
  auto const source = make_tensor(make_gmem_ptr(from), Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  auto const target = make_tensor(make_gmem_ptr(to), Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  launch(1, 32, staged{}, source, target);
  launch_checked(1, 32, staged{}, source, target);
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, source, Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  (void)tma.get_tma_tensor(shape(source));
}

void products(float* a, float* b, float* c, int thread) {
  auto const mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _8>>{});
  auto const mine = mma.get_slice(thread);
  auto const tensor_a = make_tensor(a, Layout<Shape<_16, _8>>{});
  auto const tensor_b = make_tensor(b, Layout<Shape<_16, _8>>{});
  auto const tensor_c = make_tensor(c, Layout<Shape<_16, _16>>{});
  auto fragment_c = mine.partition_fragment_C(tensor_c);
  clear(fragment_c);
  gemm(mma, mine.partition_A(tensor_a), mine.partition_B(tensor_b), fragment_c);
  cooperative_gemm(static_cast<unsigned>(thread), mma, 1.0f, tensor_a, tensor_b, 0.0f, tensor_c);
}

void values() {
  layout_value const layout = parse_layout("((2,2),8):((1,16),2)");
  (void)format_layout(layout);
  (void)coalesce(layout);
  (void)complement(layout, 64);
  (void)composition(layout, parse_layout("4:2"));
  (void)layout(3);
}

}  // namespace

int main() {
  static float numbers[512];
  static half_t halves[256], results[256];
  operations_on_static_layouts();
  operations_on(make_layout(make_shape(4, 8), make_stride(8, _1{})));
  operations_on(make_layout(make_shape(multiple_of<4>(8), _8{}), make_stride(_8{}, _1{})));
  tensors(16, 1);
  tiled_copies(&numbers[0], &numbers[256], 3);
  kernels(&halves[0], &results[0]);
  products(&numbers[0], &numbers[128], &numbers[256], 1);
  values();
}
