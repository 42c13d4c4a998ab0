/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import java.io.IOException;

/** A call forwarded to another NameNode was certainly not executed there. */
public final class CallNotExecutedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    /** It may be executed when it is sent again: the node could not be reached, or was not asked in time. */
    public CallNotExecutedException(String why) {
        this(why, false);
    }

    private CallNotExecutedException(String why, boolean lasting) {
        super(why);
        this.lasting = lasting;
    }

    /** The node takes no calls, and will not until somebody changes its settings. */
    public static CallNotExecutedException lasting(String why) {
        return new CallNotExecutedException(why, true);
    }

    /** Whether the same node would refuse the call again. */
    public boolean isLasting() {
        return lasting;
    }
}
