/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** The condition for a batch to count on a replica without a protocol. */
public enum Durability {
    /** A batch counts when it is synced to disk. */
    SYNCED,
    /** A batch counts when the operating system has it, as with {@code trefoil.journal.fsync} set to false. */
    WRITTEN
}
