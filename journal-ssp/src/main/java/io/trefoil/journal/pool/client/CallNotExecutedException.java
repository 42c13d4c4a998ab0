/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import java.io.IOException;

/** A call forwarded to another NameNode was certainly not executed there. */
public final class CallNotExecutedException extends IOException {

    private static final long serialVersionUID = 1L;

    public CallNotExecutedException(String why) {
        super(why);
    }
}
