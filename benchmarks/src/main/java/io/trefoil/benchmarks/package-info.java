/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares ours with what it replaces: each in processes of its own, on the same disk, with the same JVM options, loaded in
 * turns. Here is what the subjects share: results, machines, pictures. {@code docs/benchmarks/README.md} says how to repeat
 * them and how to read them.
 */
package io.trefoil.benchmarks;
