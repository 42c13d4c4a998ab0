/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import com.google.auto.value.AutoValue;

/** Describes how much disk and memory a journal may use; all in bytes. Immutable. */
@AutoValue
public abstract class StorageSizes {

    /** The size of the smallest log file: its head and a few entries. */
    public static final int MIN_LOG_FILE_BYTES = 4096 + 256;

    /** The default sizes, 64 MiB each. */
    public static final StorageSizes DEFAULT = new AutoValue_StorageSizes(64 << 20, 64 << 20);

    public final StorageSizes withLogFileBytes(int bytes) {
        if (bytes < MIN_LOG_FILE_BYTES) {
            throw new IllegalArgumentException(
                    "A log file has at least " + MIN_LOG_FILE_BYTES + " bytes, got " + bytes);
        }
        return new AutoValue_StorageSizes(bytes, recentBytes());
    }

    public final StorageSizes withRecentBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("Memory for recent entries is never negative, got " + bytes);
        }
        return new AutoValue_StorageSizes(logFileBytes(), bytes);
    }

    /**
     * Size of a log file; an entry that does not fit gets a file of its own size. A changed value applies from the next
     * file on.
     */
    public abstract int logFileBytes();

    /** Memory for the newest entries, so that reading them does not touch the disk. */
    public abstract int recentBytes();
}
