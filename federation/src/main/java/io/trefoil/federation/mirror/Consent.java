/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

/** What is refused unless an operator agrees to it. */
public enum Consent {
    /** Entries of others that lead where the table says become the table's. */
    ADOPT,
    /** The Routers have a newer version than the table, as after a restore; they go back. */
    GO_BACK
}
