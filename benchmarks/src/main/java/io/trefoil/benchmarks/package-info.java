/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares our code with what it replaces: each in processes of its own, on the same disk, with the same JVM options,
 * loaded in turns. This package holds what the benchmarks share: results, machines, options.
 * {@code docs/benchmarks/README.md} says how to repeat and how to read them.
 */
package io.trefoil.benchmarks;
