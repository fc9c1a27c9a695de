# SPDX-License-Identifier: Apache-2.0
# What is installed beside the targets' own rules: the package files for find_package(allocgate).
