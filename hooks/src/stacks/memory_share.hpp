// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// How much address space the recording of stacks may take. Without a limit as much as it needs; under one (RLIMIT_AS,
// RLIMIT_DATA) an eighth of what the program would have without it, so that the program's own requests succeed as
// before. Any thread, any signal handler.
#pragma once

#include <stddef.h>

namespace allocgate::hooks {

/* Whether that many bytes more may be mapped; then they count as taken. Under a limit a refusal is final for requests
 * as large. Also false where a limit is set and /proc does not say what is in use. */
bool claim_share(size_t bytes);

/* They are not mapped, or not any more. */
void return_share(size_t bytes);

}  // namespace allocgate::hooks
