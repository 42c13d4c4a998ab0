/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Compares the journal with the one that it replaces. Entry class:
 * {@link io.trefoil.benchmarks.journal.JournalBenchmark}; the
 * {@link io.trefoil.benchmarks.journal.candidate.Candidate}s run in JVMs of their own.
 */
package io.trefoil.benchmarks.journal;
