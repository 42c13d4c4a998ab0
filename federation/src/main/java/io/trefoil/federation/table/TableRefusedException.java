/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.io.IOException;
import java.util.List;

/** Explains why the table is not changed; nothing has changed. */
public final class TableRefusedException extends IOException {

    private static final long serialVersionUID = 1;

    public TableRefusedException(String reason) {
        super(reason);
    }

    /** @throws TableRefusedException with all of these reasons, a line each, if there are any */
    public static void requireNone(List<String> reasons) throws TableRefusedException {
        if (!reasons.isEmpty()) {
            throw new TableRefusedException(String.join("\n", reasons));
        }
    }
}
