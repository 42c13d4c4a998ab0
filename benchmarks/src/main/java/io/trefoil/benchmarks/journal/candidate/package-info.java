/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The journals of a comparison, ours and stock ones, each with its processes and with the protection of what they say to each other: {@link
 * io.trefoil.benchmarks.journal.candidate.Candidate} says what to start, {@link
 * io.trefoil.benchmarks.journal.candidate.RunningCandidate} is started and written to.
 */
package io.trefoil.benchmarks.journal.candidate;
