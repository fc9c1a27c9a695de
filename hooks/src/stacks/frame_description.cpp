// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/frame_description.hpp"

#include "stacks/frame_row.hpp"

namespace allocgate::hooks {
namespace {

// Deeper than compilers nest; beyond it the rule is unsupported, not wrong.
constexpr unsigned k_remembered_rows = 12;

/* Reads the length at the beginning of an entry: the bytes of its body, none for a terminator. */
ByteReader body_of_entry(const uint8_t* at, const uint8_t* limit) {
  constexpr uint32_t k_extended = 0xffffffff;
  ByteReader reader(at, limit);
  uint64_t length = reader.fixed<uint32_t>();
  if (length == k_extended) {
    length = reader.fixed<uint64_t>();
  }
  const uint8_t* begin = reader.position();
  const auto room = static_cast<uint64_t>(limit - begin);
  return {begin, begin + (length < room ? length : room)};
}

void read_augmentation(CommonDescription& common, const char* letters, ByteReader& reader) {
  for (; *letters != '\0'; ++letters) {
    switch (*letters) {
      case 'R':
        common.encoding = reader.fixed<uint8_t>();
        break;
      case 'L':
        reader.fixed<uint8_t>();
        break;
      case 'P':
        reader.encoded(reader.fixed<uint8_t>(), 0);
        break;
      case 'S':
        common.is_signal_frame = true;
        break;
      default:
        return;  // the length, read before, leads past whatever this is
    }
  }
}

CommonDescription read_common_description(const uint8_t* at, const uint8_t* limit) {
  CommonDescription common;
  ByteReader reader = body_of_entry(at, limit);
  const bool is_common = reader.has_more() && reader.fixed<uint32_t>() == 0;
  const auto version = reader.fixed<uint8_t>();
  if (!is_common || (version != 1 && version != 3)) {
    return common;
  }
  const auto* letters = reinterpret_cast<const char*>(reader.position());
  while (reader.has_more() && reader.fixed<uint8_t>() != 0) {
  }
  common.code_alignment = reader.unsigned_leb();
  common.data_alignment = reader.signed_leb();
  common.return_register = version == 1 ? reader.fixed<uint8_t>() : reader.unsigned_leb();
  if (*letters == 'z') {
    const uint64_t length = reader.unsigned_leb();
    ByteReader augmentation = reader;
    reader.skip(length);
    common.has_augmentation = true;
    read_augmentation(common, letters + 1, augmentation);
  } else if (*letters != '\0') {
    return common;
  }
  common.program = reader;
  common.is_valid = true;
  return common;
}

/* Runs the programs of one description up to the instruction that is asked for. */
class Interpreter {
public:
  Interpreter(const FrameDescription& description, uintptr_t wanted)
      : m_common(description.common), m_wanted(wanted), m_location(description.begin) {}

  /* False when an instruction was met that is not known: the row says nothing then. */
  bool run(ByteReader program, bool is_initial) {
    m_is_initial = is_initial;
    while (program.has_more() && !m_has_arrived) {
      const auto operation = program.fixed<uint8_t>();
      const auto low = static_cast<uint8_t>(operation & 0x3f);
      switch (operation >> 6) {
        case 1:
          advance(low);
          break;
        case 2:
          save_at_offset(low, static_cast<int64_t>(program.unsigned_leb()) * m_common.data_alignment);
          break;
        case 3:
          restore(low);
          break;
        default:
          if (!run_extended(low, program)) {
            return false;
          }
      }
    }
    if (is_initial) {
      m_initial = row;
    }
    return true;
  }

  FrameRow row;

private:
  void advance(uint64_t steps) { move_to(m_location + steps * m_common.code_alignment); }

  void move_to(uintptr_t location) {
    m_has_arrived = !m_is_initial && m_wanted < location;
    m_location = location;
  }

  SavedRegister* saved(uint64_t number) {
    if (number == k_bp_register) {
      return &row.bp;
    }
    return number == m_common.return_register ? &row.return_address : nullptr;
  }

  void save(uint64_t number, SavedRegister::How how, int64_t offset = 0, const uint8_t* expression = nullptr) {
    if (SavedRegister* known = saved(number); known != nullptr) {
      *known = {how, offset, expression};
    }
  }

  void save_at_offset(uint64_t number, int64_t offset) { save(number, SavedRegister::How::at_offset, offset); }

  void restore(uint64_t number) {
    if (number == k_bp_register) {
      row.bp = m_initial.bp;
    } else if (number == m_common.return_register) {
      row.return_address = m_initial.return_address;
    }
  }

  void define_cfa(uint64_t number, int64_t offset) {
    row.cfa_expression = nullptr;
    row.cfa_register = number;
    row.cfa_offset = offset;
  }

  void save_by_expression(SavedRegister::How how, ByteReader& program) {
    const uint64_t number = program.unsigned_leb();
    const uint8_t* expression = program.position();
    program.skip(program.unsigned_leb());
    save(number, how, 0, expression);
  }

  bool remember() {
    if (m_remembered == k_remembered_rows) {
      return false;
    }
    m_rows[m_remembered++] = row;
    return true;
  }

  /* Compilers rely on it that the CFA is restored as well. */
  bool bring_back() {
    if (m_remembered == 0) {
      return false;
    }
    row = m_rows[--m_remembered];
    return true;
  }

  bool run_extended(uint8_t operation, ByteReader& program);

  const CommonDescription& m_common;
  uintptr_t m_wanted;
  uintptr_t m_location;
  bool m_is_initial = true;
  bool m_has_arrived = false;
  FrameRow m_initial;
  unsigned m_remembered = 0;
  FrameRow m_rows[k_remembered_rows];
};

bool Interpreter::run_extended(uint8_t operation, ByteReader& program) {
  using How = SavedRegister::How;
  const auto number = [&] { return program.unsigned_leb(); };
  const auto factored = [&] { return program.signed_leb() * m_common.data_alignment; };
  switch (operation) {
    case 0x00:  // nop
      return true;
    case 0x01:  // set_loc
      move_to(program.encoded(m_common.encoding, 0));
      return true;
    case 0x02:  // advance_loc1, 2 and 4
      advance(program.fixed<uint8_t>());
      return true;
    case 0x03:
      advance(program.fixed<uint16_t>());
      return true;
    case 0x04:
      advance(program.fixed<uint32_t>());
      return true;
    case 0x05: {  // offset_extended
      const uint64_t saved_register = number();
      save_at_offset(saved_register, static_cast<int64_t>(number()) * m_common.data_alignment);
      return true;
    }
    case 0x06:  // restore_extended
      restore(number());
      return true;
    case 0x07:  // undefined
      save(number(), How::undefined);
      return true;
    case 0x08:  // same_value
      save(number(), How::unchanged);
      return true;
    case 0x09: {  // register
      const uint64_t saved_register = number();
      number();
      save(saved_register, How::other);
      return true;
    }
    case 0x0a:  // remember_state
      return remember();
    case 0x0b:  // restore_state
      return bring_back();
    case 0x0c: {  // def_cfa
      const uint64_t base = number();
      define_cfa(base, static_cast<int64_t>(number()));
      return true;
    }
    case 0x0d:  // def_cfa_register
      define_cfa(number(), row.cfa_offset);
      return true;
    case 0x0e:  // def_cfa_offset
      row.cfa_offset = static_cast<int64_t>(number());
      return true;
    case 0x0f:  // def_cfa_expression
      row.cfa_expression = program.position();
      program.skip(number());
      return true;
    case 0x10:  // expression
      save_by_expression(How::at_expression, program);
      return true;
    case 0x11: {  // offset_extended_sf
      const uint64_t saved_register = number();
      save_at_offset(saved_register, factored());
      return true;
    }
    case 0x12: {  // def_cfa_sf
      const uint64_t base = number();
      define_cfa(base, factored());
      return true;
    }
    case 0x13:  // def_cfa_offset_sf
      row.cfa_offset = factored();
      return true;
    case 0x14:  // val_offset, val_offset_sf: both have one number more
    case 0x15: {
      const uint64_t saved_register = number();
      number();
      save(saved_register, How::other);
      return true;
    }
    case 0x16:  // val_expression
      save_by_expression(How::other, program);
      return true;
    case 0x2e:  // GNU_args_size: nothing that a caller's frame depends on
      number();
      return true;
    case 0x2f: {  // GNU_negative_offset_extended
      const uint64_t saved_register = number();
      save_at_offset(saved_register, -static_cast<int64_t>(number()) * m_common.data_alignment);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

FrameDescription read_frame_description(const uint8_t* at, const uint8_t* limit, const uint8_t*& next) {
  FrameDescription description;
  ByteReader reader = body_of_entry(at, limit);
  next = reader.has_more() ? reader.end() : nullptr;
  const uint8_t* body = reader.position();
  const auto distance = reader.fixed<uint32_t>();
  if (distance == 0) {
    return description;
  }
  description.common = read_common_description(body - distance, limit);
  if (!description.common.is_valid) {
    return description;
  }
  description.begin = reader.encoded(description.common.encoding, 0);
  description.end = description.begin + reader.encoded(description.common.encoding & k_encoding_format, 0);
  if (description.common.has_augmentation) {
    reader.skip(reader.unsigned_leb());
  }
  description.program = reader;
  description.is_valid = description.begin != 0;
  return description;
}

UnwindRule rule_of(const FrameDescription& description, uintptr_t at) {
  constexpr UnwindRule k_unsupported{0, k_bp_unchanged, RuleKind::unsupported, 0};
  Interpreter interpreter(description, at);
  if (!interpreter.run(description.common.program, true) || !interpreter.run(description.program, false)) {
    return k_unsupported;
  }
  return interpreter.row.to_rule(description.common.is_signal_frame);
}

}  // namespace allocgate::hooks
