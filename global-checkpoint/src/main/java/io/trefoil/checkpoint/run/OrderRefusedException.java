/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import java.io.IOException;

/** A participant refused; the message says why. */
public final class OrderRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    public OrderRefusedException(String message) {
        super(message);
    }
}
