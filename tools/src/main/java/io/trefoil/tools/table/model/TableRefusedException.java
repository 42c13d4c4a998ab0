/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.model;

import java.io.IOException;

/** Says why the table is not changed; nothing has changed. */
public final class TableRefusedException extends IOException {

    private static final long serialVersionUID = 1;

    public TableRefusedException(String why) {
        super(why);
    }
}
