/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

/**
 * Describes where the addresses in a writer's settings come from, and thus whether a member's storage may move to them
 * (rule R12).
 */
public enum AddressSource {
    /** An operator named each address as a node of this journal, so a member's storage on another host may have moved there. */
    JOURNAL_URI,
    /**
     * The addresses follow from a list of NameNodes, which does not imply that a node there may have a member's storage.
     */
    NAMENODES
}
