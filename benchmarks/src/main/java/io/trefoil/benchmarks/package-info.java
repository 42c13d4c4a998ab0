/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares our code with the code that it replaces: each in separate processes, on the same disk, with the same JVM options, under load in
 * turn. This package holds what the benchmarks share: results, machines, options. {@code docs/benchmarks/README.md} says how to repeat and
 * how to read them.
 */
package io.trefoil.benchmarks;
