/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.Change;
import io.trefoil.it.load.ledger.ChangeAnswer;

/** Makes up the changes for one thread of a load. Used by that thread alone. */
interface ChangeSource {
    /** The next change to ask for. */
    Change next();

    /** Reports how the change ended, so that later ones build only on what is certain. */
    void answered(Change change, ChangeAnswer answer);
}
