/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

/** The answer that a client got for a change that it requested. */
public enum ChangeAnswer {
    /** The change is done, and must stay done. */
    ACKNOWLEDGED,
    /** The client gave up without an answer: the change may have happened or not, but nothing else may have. */
    UNKNOWN,
    /**
     * The answer cannot be right given this client's own history, such as "not found" for a file whose creation was
     * acknowledged. Usually the trace of a change that was retried and took effect twice.
     */
    CONTRADICTED
}
