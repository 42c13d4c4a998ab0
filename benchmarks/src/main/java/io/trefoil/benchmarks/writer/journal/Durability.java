/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** When a batch counts on a replica without a protocol. */
public enum Durability {
    /** When it is synced to disk. */
    SYNCED,
    /** When the operating system has it, as with {@code trefoil.journal.fsync} set to false. */
    WRITTEN
}
