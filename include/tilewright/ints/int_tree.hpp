// The one structural value of the algebra: a nested tuple in preorder whose every leaf holds an extent and a stride.
// Read with strides it is a layout, without them an integer tuple; two more node kinds make it a coordinate to slice
// with (a kept mode) or a tiler (a layout as one entry). Flat arrays, no recursion, no allocation.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"
#include "tilewright/ints/arithmetic.hpp"

namespace tilewright {

/// What a node of the profile is: a tuple of k >= 0 children, a leaf, a kept mode `_`, or "the next node is a layout".
using node_kind = signed char;
inline constexpr node_kind leaf_node = -1;
inline constexpr node_kind kept_node = -2;
inline constexpr node_kind layout_node = -3;

/// A node with all that is below it: its range in the profile and its range of leaves.
struct subtree {
  int node = 0, node_end = 0;
  int leaf = 0, leaf_end = 0;

  TILEWRIGHT_CONSTEXPR int leaves() const { return leaf_end - leaf; }
};

/// The node that starts at the given positions of a profile and of its leaves.
template <std::size_t Capacity>
TILEWRIGHT_CONSTEXPR subtree subtree_at(node_kind const (&profile)[Capacity], int node, int first_leaf) {
  int end = node, leaf_end = first_leaf;
  for (int open_nodes = 1; open_nodes > 0 && end < static_cast<int>(Capacity);) {
    node_kind const k = profile[end++];
    --open_nodes;
    if (k == leaf_node) ++leaf_end;
    if (k == layout_node) ++open_nodes;
    if (k > 0) open_nodes += k;
  }
  return {node, end, first_leaf, leaf_end};
}

struct int_tree {
  static constexpr int leaf_capacity = 64;
  static constexpr int node_capacity = 128;

  int leaves = 0;  // may count beyond the capacity: overflowed() then, and nothing was written out of bounds
  int nodes = 0;
  leaf shape[leaf_capacity]{};
  leaf stride[leaf_capacity]{};
  node_kind profile[node_capacity]{};

  // --- building, in preorder -----------------------------------------------------------------------------------------
  /// post: the new node's position, for set_children.
  TILEWRIGHT_CONSTEXPR int open(int children = 0) { return push_node(static_cast<node_kind>(children)), nodes - 1; }
  TILEWRIGHT_CONSTEXPR void set_children(int node, int children) {
    if (node < node_capacity) profile[node] = static_cast<node_kind>(children);
  }
  TILEWRIGHT_CONSTEXPR void add_leaf(leaf extent, leaf step = {}) {
    push_leaf(extent, step);
    push_node(leaf_node);
  }
  TILEWRIGHT_CONSTEXPR void add_kept() { push_node(kept_node); }
  TILEWRIGHT_CONSTEXPR void add_layout_marker() { push_node(layout_node); }
  /// pre: `from` has not overflowed
  TILEWRIGHT_CONSTEXPR void add(int_tree const& from, subtree u) {
    for (int i = u.node; i < u.node_end; ++i) push_node(from.profile[i]);
    for (int i = u.leaf; i < u.leaf_end; ++i) push_leaf(from.shape[i], from.stride[i]);
  }
  TILEWRIGHT_CONSTEXPR void add(int_tree const& from) { add(from, from.root()); }

  TILEWRIGHT_CONSTEXPR bool overflowed() const { return leaves > leaf_capacity || nodes > node_capacity; }

  // --- reading -------------------------------------------------------------------------------------------------------
  TILEWRIGHT_CONSTEXPR subtree root() const { return {0, nodes, 0, leaves}; }
  TILEWRIGHT_CONSTEXPR bool is_tuple(subtree u) const { return profile[u.node] >= 0; }
  TILEWRIGHT_CONSTEXPR bool is_leaf(subtree u) const { return profile[u.node] == leaf_node; }
  TILEWRIGHT_CONSTEXPR bool is_kept(subtree u) const { return profile[u.node] == kept_node; }
  TILEWRIGHT_CONSTEXPR bool is_layout(subtree u) const { return profile[u.node] == layout_node; }
  TILEWRIGHT_CONSTEXPR int rank(subtree u) const { return is_tuple(u) ? profile[u.node] : 1; }
  TILEWRIGHT_CONSTEXPR int rank() const { return rank(root()); }

  /// The node that starts at the given positions of the profile and of the leaves.
  TILEWRIGHT_CONSTEXPR subtree at(int node, int first_leaf) const { return subtree_at(profile, node, first_leaf); }
  TILEWRIGHT_CONSTEXPR subtree first_mode(subtree u) const { return is_tuple(u) ? at(u.node + 1, u.leaf) : u; }
  TILEWRIGHT_CONSTEXPR subtree next(subtree u) const { return at(u.node_end, u.leaf_end); }
  /// pre: i < rank(u); a leaf is its own only mode.
  TILEWRIGHT_CONSTEXPR subtree mode(subtree u, int i) const {
    subtree m = first_mode(u);
    for (; i > 0; --i) m = next(m);
    return m;
  }
  TILEWRIGHT_CONSTEXPR subtree mode(int i) const { return mode(root(), i); }
  /// pre: is_layout(u); post: the layout behind the marker.
  TILEWRIGHT_CONSTEXPR subtree behind_marker(subtree u) const { return {u.node + 1, u.node_end, u.leaf, u.leaf_end}; }

  friend TILEWRIGHT_CONSTEXPR bool operator==(int_tree const& a, int_tree const& b) {
    if (a.leaves != b.leaves || a.nodes != b.nodes) return false;
    for (int i = 0; i < a.nodes; ++i)
      if (a.profile[i] != b.profile[i]) return false;
    for (int i = 0; i < a.leaves; ++i)
      if (!(a.shape[i] == b.shape[i]) || !(a.stride[i] == b.stride[i])) return false;
    return true;
  }

 private:
  TILEWRIGHT_CONSTEXPR void push_node(node_kind k) {
    if (nodes < node_capacity) profile[nodes] = k;
    ++nodes;
  }
  TILEWRIGHT_CONSTEXPR void push_leaf(leaf extent, leaf step) {
    if (leaves < leaf_capacity) {
      shape[leaves] = extent;
      stride[leaves] = step;
    }
    ++leaves;
  }
};

/// A tree as a constant is stored: with as few elements as its kind needs. Compilers store every element of a constant's arrays
/// and load them all where one is read: nvcc's front end uses 1.6 MB and 5 ms less for an operation on static layouts.
template <int Leaves, int Nodes>
struct stored_tree {
  int leaves = 0;
  int nodes = 0;
  bool fits = true;  // false: only the counts are stored
  leaf shape[static_cast<std::size_t>(Leaves)]{};
  leaf stride[static_cast<std::size_t>(Leaves)]{};
  node_kind profile[static_cast<std::size_t>(Nodes)]{};

  constexpr stored_tree() = default;
  TILEWRIGHT_CONSTEXPR explicit stored_tree(int_tree const& from)
      : leaves(from.leaves),
        nodes(from.nodes),
        fits(from.leaves <= Leaves && from.nodes <= Nodes) {
    for (int i = 0; fits && i < nodes; ++i) profile[i] = from.profile[i];
    for (int i = 0; fits && i < leaves; ++i) {
      shape[i] = from.shape[i];
      stride[i] = from.stride[i];
    }
  }
  /// pre: fits
  TILEWRIGHT_CONSTEXPR operator int_tree() const {
    int_tree out{};
    out.leaves = leaves;
    out.nodes = nodes;
    for (int i = 0; i < nodes && i < Nodes; ++i) out.profile[i] = profile[i];
    for (int i = 0; i < leaves && i < Leaves; ++i) {
      out.shape[i] = shape[i];
      out.stride[i] = stride[i];
    }
    return out;
  }
  TILEWRIGHT_CONSTEXPR bool overflowed() const {
    return leaves > int_tree::leaf_capacity || nodes > int_tree::node_capacity;
  }
  TILEWRIGHT_CONSTEXPR subtree root() const { return {0, nodes, 0, leaves}; }
};

TILEWRIGHT_CONSTEXPR int_tree leaf_tree(leaf extent, leaf step = {}) {
  int_tree t{};
  t.add_leaf(extent, step);
  return t;
}

TILEWRIGHT_CONSTEXPR int_tree copy_of(int_tree const& a, subtree u) {
  int_tree t{};
  t.add(a, u);
  return t;
}

/// The tree itself, or an error and a harmless 1:0 when it has outgrown its arrays (or an error came before).
TILEWRIGHT_CONSTEXPR int_tree checked(arithmetic& c, int_tree const& t) {
  if (t.leaves > int_tree::leaf_capacity) c.fail(errc::too_many_leaves, t.leaves, int_tree::leaf_capacity);
  if (t.nodes > int_tree::node_capacity) c.fail(errc::too_many_leaves, t.nodes, int_tree::node_capacity);
  return c.failed() ? leaf_tree(constant_leaf(1)) : t;
}

/// The depth of nesting: 0 for a leaf, 1 for a flat tuple.
TILEWRIGHT_CONSTEXPR int depth(int_tree const& t, subtree u) {
  int open_at[int_tree::node_capacity + 1]{};
  int level = 0, deepest = 0;
  for (int i = u.node; i < u.node_end; ++i) {
    while (level > 0 && open_at[level] == 0) --level;
    if (level > 0) --open_at[level];
    if (t.profile[i] >= 0) {
      open_at[++level] = t.profile[i];
      if (level > deepest) deepest = level;
    }
  }
  return deepest;
}

/// Have the two the same profile? Extents and strides play no part.
TILEWRIGHT_CONSTEXPR bool same_profile(int_tree const& a, subtree u, int_tree const& b, subtree w) {
  if (u.node_end - u.node != w.node_end - w.node) return false;
  for (int i = 0; i < u.node_end - u.node; ++i)
    if (a.profile[u.node + i] != b.profile[w.node + i]) return false;
  return true;
}

}  // namespace tilewright
