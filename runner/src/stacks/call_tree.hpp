// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace allocgate {

/// Many call stacks in little memory: a tree from the outermost caller inwards, in which each node stands for the stack
/// that ends in it. Nodes are numbers; 0 is the empty stack, and a caller's number is smaller than its callees'. What a
/// frame is (a number too) is the user's affair. A value; one thread at a time.
class CallTree {
public:
  CallTree();

  /// The stack `caller` with `frame` called from it: an old node or a new one.
  std::uint32_t child(std::uint32_t caller, std::uint32_t frame);
  [[nodiscard]] std::uint32_t caller(std::uint32_t node) const { return m_nodes[node].caller; }
  /// The innermost frame of a stack that is not empty.
  [[nodiscard]] std::uint32_t frame(std::uint32_t node) const { return m_nodes[node].frame; }
  /// The frames of a stack, innermost first.
  [[nodiscard]] std::vector<std::uint32_t> frames(std::uint32_t node) const;
  /// One more than the greatest node.
  [[nodiscard]] std::size_t size() const { return m_nodes.size(); }

  /// Gives back the memory that only child() needs; the next child() builds it anew.
  void freeze();

private:
  struct Node {
    std::uint32_t caller;
    std::uint32_t frame;
  };

  [[nodiscard]] std::size_t slot_of(std::uint32_t caller, std::uint32_t frame) const;
  void rebuild_slots(std::size_t slots);

  std::vector<Node> m_nodes;
  std::vector<std::uint32_t> m_slots;  // an open hash table of nodes, at most 7/10 full; a power of two, or empty
};

}  // namespace allocgate
