// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <initializer_list>
#include <string>

namespace allocgate::suite {

/// The version of the distribution's package that a shared core comes from, as "0.10.6-0+deb12u3": security updates
/// move counts and leave the core's own version alone. The first of `packages` that dpkg has installed decides;
/// `otherwise` where dpkg knows none. Makes no allocation but for the result. Any thread.
std::string package_version(std::initializer_list<const char*> packages, std::string otherwise);

}  // namespace allocgate::suite
