// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The auditor of start_audit.
#include "../hazard.h"

unsigned int la_version(unsigned int version);

unsigned int la_version(unsigned int version) {
  allocate_and_leak(5);
  return version;
}
