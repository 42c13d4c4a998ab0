/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** What a replica without a protocol does with a batch before it counts. */
public enum Durability {
    /** It is on the disk. */
    SYNCED,
    /** It is with the operating system, as with {@code trefoil.journal.fsync} set to false. */
    WRITTEN
}
