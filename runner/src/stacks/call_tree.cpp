// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/call_tree.hpp"

#include "stacks/mixed_bits.hpp"

#include <cassert>
#include <limits>

namespace allocgate {

namespace {

constexpr std::size_t k_first_slots = 1024;

std::size_t hash_of(std::uint32_t caller, std::uint32_t frame) {
  return mixed_bits((std::uint64_t{caller} << 32U) | frame);
}

}  // namespace

CallTree::CallTree() : m_nodes(1, Node{0, 0}) {}

std::size_t CallTree::slot_of(std::uint32_t caller, std::uint32_t frame) const {
  const std::size_t mask = m_slots.size() - 1;
  std::size_t slot = hash_of(caller, frame) & mask;
  while (m_slots[slot] != 0 && (m_nodes[m_slots[slot]].caller != caller || m_nodes[m_slots[slot]].frame != frame)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void CallTree::rebuild_slots(std::size_t slots) {
  m_slots = {};  // first gives back the old table: both at once would be the greatest memory of all
  m_slots.assign(slots, 0);
  for (std::uint32_t node = 1; node < m_nodes.size(); ++node) {
    m_slots[slot_of(m_nodes[node].caller, m_nodes[node].frame)] = node;
  }
}

std::uint32_t CallTree::child(std::uint32_t caller, std::uint32_t frame) {
  if (m_slots.empty()) {
    std::size_t slots = k_first_slots;
    while (m_nodes.size() * 10 > slots * 7) {
      slots *= 2;
    }
    rebuild_slots(slots);
  }
  const std::size_t slot = slot_of(caller, frame);
  if (m_slots[slot] != 0) {
    return m_slots[slot];
  }
  assert(m_nodes.size() < std::numeric_limits<std::uint32_t>::max());
  m_nodes.push_back({caller, frame});
  const auto node = static_cast<std::uint32_t>(m_nodes.size() - 1);
  m_slots[slot] = node;
  if (m_nodes.size() * 10 > m_slots.size() * 7) {
    rebuild_slots(m_slots.size() * 2);
  }
  return node;
}

std::vector<std::uint32_t> CallTree::frames(std::uint32_t node) const {
  std::vector<std::uint32_t> frames;
  for (; node != 0; node = m_nodes[node].caller) {
    frames.push_back(m_nodes[node].frame);
  }
  return frames;
}

void CallTree::freeze() {
  m_slots = {};
}

}  // namespace allocgate
