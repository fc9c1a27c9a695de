// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Exact values and how people read them. A column of values holds numbers where every sum of them is exact as one, else
// BigInts; the arithmetic below is written so that it is right for both, and never mixes them.

const k_no_break = "\u00a0";

/** A column as it was shipped: numbers, or decimal texts where numbers would round. */
function column_of(shipped) {
  return typeof shipped[0] === "string" ? shipped.map(BigInt) : Float64Array.from(shipped);
}

function zero_of(column) {
  return typeof column[0] === "bigint" ? 0n : 0;
}

function magnitude(value) {
  return value < 0 ? -value : value;
}

/** "1234567" as "1 234 567", on one line. */
function grouped(integer) {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, k_no_break);
}

function greatest_common_divisor(left, right) {
  return right === 0n ? left : greatest_common_divisor(right, left % right);
}

/** value / unit (BigInts, unit above 0) with three decimals, "≈" before it when that is not all of it. */
function fraction_text(value, unit) {
  const size = magnitude(value);
  const thousandths = (size * 2000n + unit) / (2n * unit);
  if (thousandths === 0n) {
    return value < 0n ? ">-0.001" : "<0.001";
  }
  const decimals = String(thousandths % 1000n)
    .padStart(3, "0")
    .replace(/0+$/, "");
  const sign = value < 0n ? "-" : "";
  const rounded = (size * 1000n) % unit === 0n ? "" : "≈";
  return rounded + sign + grouped(thousandths / 1000n) + (decimals === "" ? "" : "." + decimals);
}

/** For tables: "20 021", "0.25", "≈0.333". */
function value_text(value, unit) {
  const count = BigInt(value);
  return count % unit === 0n ? grouped(count / unit) : fraction_text(count, unit);
}

/** All of it: "20 021", "0.25", "1/3". */
function exact_text(value, unit) {
  const count = BigInt(value);
  const divisor = greatest_common_divisor(magnitude(count), unit);
  const denominator = unit / divisor;
  return 1000n % denominator === 0n ? value_text(value, unit) : grouped(count / divisor) + "/" + grouped(denominator);
}

/** A difference with its sign. */
function signed_text(value, unit, text_of) {
  return (value > 0 ? "+" : "") + text_of(value, unit);
}

function glyph_of(change) {
  return change > 0 ? "▲" : change < 0 ? "▼" : "";
}

/** "▲ +12", "▼ -3", "0": a glyph and a sign, so that colour is never what tells. */
function change_text(change, unit, text_of = value_text) {
  const glyph = glyph_of(change);
  return (glyph === "" ? "" : glyph + k_no_break) + signed_text(change, unit, text_of);
}

function percent_text(part, whole) {
  return whole == 0 ? "" : ((100 * Number(part)) / Number(whole)).toFixed(1) + k_no_break + "%";
}

/** A name as it can be shown on one line: what moves a cursor or turns the direction of text becomes visible. */
function shown_name(name) {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
}
