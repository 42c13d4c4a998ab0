/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeAddress;

/** A member of the journal, as shown in the status of the nameservice. Immutable. */
@AutoValue
abstract class PoolMember {

    static PoolMember of(NodeAddress address, String site, boolean isVoter, String problem) {
        return new AutoValue_PoolMember(address, site, isVoter, problem);
    }

    abstract NodeAddress address();

    /** The member's site; empty if it is not known. */
    abstract String site();

    /** Whether the node is a voter; otherwise it is a learner, either permanent or not yet in sync. */
    abstract boolean isVoter();

    /** The reason why the node does not serve; empty if it does. */
    abstract String failureReason();

    final PoolMember withVote(boolean isVoter) {
        return of(address(), site(), isVoter, failureReason());
    }
}
