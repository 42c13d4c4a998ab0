/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

/** What a client was told about a change that it asked for. */
public enum ChangeAnswer {
    /** It is done, and must stay done. */
    ACKNOWLEDGED,
    /** The client gave up without an answer: the change may have happened or not, but not anything else. */
    UNKNOWN,
    /**
     * The answer cannot be right for this client's own history, as "not found" for a file that was acknowledged. Mostly
     * the trace of a change that was repeated and took effect twice.
     */
    CONTRADICTED
}
