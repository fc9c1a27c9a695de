// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The stacks of this process as paths in a tree: a node is a frame and its parent, its reference names the whole stack
// from it outward. Nodes lie in the section and are never changed. A node is found from its parent if it lies right
// behind it or is its second child, as most are; the others by an index in private memory, which may miss one: another
// node for the same stack does no harm. So nobody waits for anybody. Any thread, any signal handler.
#pragma once

#include <allocgate/stack_record.h>
#include <stdint.h>

#include "stacks/stack_section.hpp"

namespace allocgate::hooks {

/* A node, or a root, and where it lies. */
struct TreePlace {
  uint32_t node;
  allocgate_stack_node* address;  // the one behind it can be looked at; of a root it is no node
};

/* Where one thread (or one signal handler in it) takes its nodes from: a page at a time, so that a stack that is met
 * first is numbered in one go. */
class NodeSource {
public:
  /* A new node; the number 0 when there is no memory. */
  TreePlace make(uint32_t parent, uint64_t place, bool may_wait);

private:
  SectionPage m_page;
  uint32_t m_used = 0;
};

/* Four bits of the hash above a reference: 4 bytes a node, and few looks at nodes that are others. */
struct TreeIndex {
  uint32_t mask;
  uint32_t used;      // by atomic add
  uint32_t slots[1];  // more than one
};
extern TreeIndex* g_tree_index __attribute__((visibility("hidden")));

class StackTree {
public:
  /* Begins anew with an empty index; false without memory. */
  static bool start();

  /* The node of the frame `place` whose next frame outward is `parent`; 0 when it is new and there is no memory. */
  [[gnu::always_inline]] static uint32_t child(uint32_t parent, uint64_t place, NodeSource& source, bool may_wait) {
    TreePlace at = place_of(parent);
    return go_inward(at, place, source, may_wait) ? at.node : 0;
  }

  static TreePlace place_of(uint32_t node) {
    static allocgate_stack_node no_row[2];
    return {node, node >= ALLOCGATE_ROOT_FIRST_NODE ? &node_at(node) : no_row};
  }

  /* From there to the same child; false without memory for it. */
  [[gnu::always_inline]] static bool go_inward(TreePlace& at, uint64_t place, NodeSource& source, bool may_wait) {
    // A chain of frames that was met first in one go is numbered in a row. The processor takes the guess for right, and
    // does not wait for the loads.
    if (__builtin_expect(is_child(at.address[1], at.node, place), 1)) {
      at.node += 1;
      at.address += 1;
      return true;
    }
    at = find_or_make(at, place, source, may_wait);
    return __builtin_expect(at.node != 0, 1);
  }

private:
  [[gnu::always_inline]] static bool is_child(const allocgate_stack_node& child, uint32_t parent, uint64_t place) {
    return __atomic_load_n(&child.parent, __ATOMIC_ACQUIRE) == parent && child.place == place;
  }

  static TreePlace find_in_index(uint64_t hash, uint32_t parent, uint64_t place);
  static TreePlace find_or_make(TreePlace parent, uint64_t place, NodeSource& source, bool may_wait);
};

}  // namespace allocgate::hooks
