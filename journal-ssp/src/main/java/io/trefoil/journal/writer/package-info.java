/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of a journal's writer: how it acquires an epoch, replicates entries to a majority, and lets nodes join. Its events
 * and effects are in {@code events}; what it knows about the nodes is in {@code peer}.
 *
 * <p>Pure. Begin with {@link io.trefoil.journal.writer.Writer}; the drivers are in {@code pool} and in the simulator
 * (paper §4.1.2, the coordinator's side; §4.2.3 for joining nodes).
 */
package io.trefoil.journal.writer;
