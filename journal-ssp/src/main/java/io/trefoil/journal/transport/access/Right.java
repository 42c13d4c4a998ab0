/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

/** What a caller may do; {@link RequestRule} says which of them a request takes. */
public enum Right {
    /** See entries, images and the state of the node. */
    READ,
    /** Ask for its own membership, as a pool node that is started. */
    JOIN,
    /** Order changes of the members, and a node to start over. */
    ADMINISTER,
    /** Say of a call of HDFS's who makes it, as a NameNode that hands it on. */
    FORWARD,
    /** Format the journal and write it, with all that is a writer's: promises, members, purging. */
    WRITE
}
