/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

/** Whether a node's report about its log may count towards a majority (rule R9). */
public enum LogCompleteness {
    /** The node's log holds everything that it ever acknowledged. */
    COMPLETE,
    /** The node found damage before the tail and refetches; it promises and receives, but does not count. */
    REFETCHING
}
