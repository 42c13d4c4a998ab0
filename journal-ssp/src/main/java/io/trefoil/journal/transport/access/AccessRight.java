/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

/** A right that a pool node's callers may have; {@link RequestRule} says which right a request requires. */
public enum AccessRight {
    /** See entries, images and the state of the node. */
    READ,
    /** Ask for its own membership, as a starting pool node does. */
    JOIN,
    /** Order membership changes, and order a node to start over. */
    ADMINISTER,
    /** Forward HDFS calls, and state on whose behalf, as NameNodes do. */
    FORWARD,
    /** Format the journal and write it, with everything else that a writer does: promises, members, purging. */
    WRITE
}
