/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares the journal with the one it replaces: each in processes of its own, on the same disk, with the same JVM
 * options, loaded in turns. {@code docs/benchmarks/README.md} says how to repeat it and how to read it.
 */
package io.trefoil.benchmarks;
