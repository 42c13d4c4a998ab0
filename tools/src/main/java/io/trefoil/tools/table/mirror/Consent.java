/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

/** What an operator agrees to that is refused otherwise. */
public enum Consent {
    /** Entries of others that lead where the table says become entries of the table. */
    ADOPT,
    /** The Routers have a newer version than there is, as after a restore. */
    GO_BACK
}
