/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import java.io.IOException;

/** A call forwarded to another NameNode was certainly not executed there. */
public final class CallNotExecutedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    /** The call may succeed when it is sent again: the node could not be reached, or the call was not sent in time. */
    public CallNotExecutedException(String reason) {
        this(reason, false);
    }

    private CallNotExecutedException(String reason, boolean isPermanent) {
        super(reason);
        this.lasting = isPermanent;
    }

    /** Creates the exception for a node that accepts no calls, and will not until an operator changes its settings. */
    public static CallNotExecutedException permanent(String reason) {
        return new CallNotExecutedException(reason, true);
    }

    /** Whether the same node would refuse the call again if it were resent. */
    public boolean isPermanent() {
        return lasting;
    }
}
