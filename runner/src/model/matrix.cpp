// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/matrix.hpp"

namespace allocgate {

std::string place_name(const std::vector<MatrixAxis>& axes, const MatrixPlace& place) {
  std::string name;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    name += (axis == 0 ? "" : ":") + axes[axis].levels[place[axis]].name;
  }
  return name;
}

}  // namespace allocgate
