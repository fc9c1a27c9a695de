// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The table that programs find by name. Constant for them; its level is filled in when the record was opened.
#pragma once

#include <allocgate/hooks.h>

extern "C" __attribute__((visibility("default"))) allocgate_hooks_table allocgate_hooks_v1;
