/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The threads that wait for a replica's disk on behalf of all others, and the watch that detects a hung disk.
 *
 * <p>Not from the paper, whose disks do not hang: see {@code docs/design/divergence.md}.
 */
package io.trefoil.journal.pool.disk;
