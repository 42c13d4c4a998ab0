/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

/** The steps that are refused unless an operator consents. */
public enum Consent {
    /** Entries of others whose targets agree with the table become the table's. */
    ADOPT,
    /** The Routers have a newer version than the table, as after a restore; they revert to the table's version. */
    GO_BACK
}
