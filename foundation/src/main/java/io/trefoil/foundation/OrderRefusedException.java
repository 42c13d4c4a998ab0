/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;

/** An order was refused by the process that should have carried it out. Nothing was changed; the message says why. */
public final class OrderRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    public OrderRefusedException(String message) {
        super(message);
    }
}
