/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

/** Whether what a node says about its log may count towards a majority (rule R9). */
public enum LogCompleteness {
    /** Its log holds everything that it ever acknowledged. */
    COMPLETE,
    /** It found damage before the tail and is being filled up again; it promises and receives, but does not count. */
    REFETCHING
}
