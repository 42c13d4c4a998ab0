/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The journals of a comparison, ours and stock ones, each with its processes and the protection of their connections: {@link
 * io.trefoil.benchmarks.journal.candidate.Candidate} defines what to start, {@link
 * io.trefoil.benchmarks.journal.candidate.RunningCandidate} runs and takes writes.
 */
package io.trefoil.benchmarks.journal.candidate;
