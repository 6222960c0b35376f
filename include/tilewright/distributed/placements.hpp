// Distributed layouts as other libraries describe them: placements on a mesh of ranks (PyTorch's DTensor, JAX), and the
// descriptors of ScaLAPACK. Each converts exactly or is refused.
//   distribute((10,8), (4), S0)  ==  ((3,4),8):((8@1,1@0),1@1) within (10,8) packed (1,0)
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/distributed_layout.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// What one axis of a mesh does with the tensor.
struct placement {
  enum class kind : int { replicate, block, cyclic, block_cyclic };
  kind how = kind::replicate;
  int axis = 0;            // of the tensor
  std::int64_t block = 1;  // of block_cyclic
  friend bool operator==(placement const&, placement const&) = default;
};

inline placement replicate() { return {}; }
/// Contiguous blocks of ceil(extent / ranks), as torch.chunk: the last one may be smaller, or empty.
inline placement shard(int axis) { return {placement::kind::block, axis, 1}; }
inline placement cyclic(int axis) { return {placement::kind::cyclic, axis, 1}; }
inline placement block_cyclic(int axis, std::int64_t block) { return {placement::kind::block_cyclic, axis, block}; }

/// "R", "S0", "C0", "B0/16".
std::string to_text(placement const& p);
/// error: std::invalid_argument, one sentence
placement parse_placement(std::string_view text);

/// The order of each rank's own tensor.
enum class local_order : int { row_major = 0, column_major = 1 };

/// One placement for each axis of the mesh, the first one outermost where several shard one axis of the tensor. Ranks are
/// numbered with the last axis of the mesh fastest.
/// error: copy_error bad_layout
distributed_layout distribute(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                              std::vector<placement> const& placements, local_order order = local_order::row_major);

/// The same ownership, with each rank's tensor compact.
distributed_layout packed_in(distributed_layout layout, local_order order);

/// What distribute(SHAPE,MESH,PLACEMENT,…[,row|col]) says as text; see parse_distributed.
struct distribution_text {
  std::vector<std::int64_t> shape;
  std::vector<int> mesh;
  std::vector<placement> placements;
  local_order order = local_order::row_major;
};
/// Empty where the text is a layout, or has clauses.
/// error: text_error
std::optional<distribution_text> read_distribution(std::string_view text);

/// The same as torch.distributed.tensor lays a DTensor out; `ranks` are those of the DeviceMesh, row by row, empty: 0, 1, ….
/// error: copy_error bad_layout, also where several mesh axes shard one tensor axis and DTensor cuts the last block in
///        another way than the others, so that no layout describes it
distributed_layout from_dtensor(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                                std::vector<placement> const& placements, std::vector<int> const& ranks = {});

/// An array descriptor of ScaLAPACK (DTYPE_ = 1) on a grid of rows x columns; rank = row * columns + column, or with
/// `column_major_grid` row + column * rows. Local matrices are column-major with the leading dimension lld.
struct scalapack_descriptor {
  std::int64_t m = 0, n = 0;    // of the matrix
  std::int64_t mb = 1, nb = 1;  // of a block
  int rsrc = 0, csrc = 0;       // the grid's row and column that own the first block
  std::int64_t lld = 0;
};
/// error: copy_error bad_layout
distributed_layout from_scalapack(scalapack_descriptor const& d, int rows, int columns, bool column_major_grid = false);

}  // namespace tilewright
