/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.LedgerChange;

/** Generates the changes for one thread of a load. Used by that thread alone. */
interface ChangeSource {
    /** The next change to request. */
    LedgerChange next();

    /** Reports how the change ended, so that later ones build only on what is certain. */
    void answered(LedgerChange change, ChangeAnswer answer);
}
