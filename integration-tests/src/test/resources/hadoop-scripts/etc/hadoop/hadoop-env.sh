# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Hadoop's file of this name, which sets nothing either: see ../../README.md.
