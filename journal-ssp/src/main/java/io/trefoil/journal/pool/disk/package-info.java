/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The threads that wait for the disk of a replica in place of everybody else, and the watch that tells a hung disk.
 *
 * <p>No part of the paper, whose disks do not hang: see {@code docs/design/divergence.md}.
 */
package io.trefoil.journal.pool.disk;
