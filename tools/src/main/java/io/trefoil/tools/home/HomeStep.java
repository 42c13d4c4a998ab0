/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeAddress;
import java.util.Optional;

/** A single step of the home's move. Immutable. */
@AutoValue
abstract class HomeStep {

    /** The kinds of steps, in the order in which they are taken. */
    enum Kind {
        /** A pool node in the new home becomes a voter. */
        VOTE,
        /** A NameNode in the new home becomes the active. */
        LEAD,
        /** A voter elsewhere becomes a permanent learner. */
        LEARN
    }

    static HomeStep vote(NodeAddress node) {
        return new AutoValue_HomeStep(Kind.VOTE, Optional.of(node), Optional.empty());
    }

    static HomeStep lead(String nameNode) {
        return new AutoValue_HomeStep(Kind.LEAD, Optional.empty(), Optional.of(nameNode));
    }

    static HomeStep learn(NodeAddress node) {
        return new AutoValue_HomeStep(Kind.LEARN, Optional.of(node), Optional.empty());
    }

    abstract Kind kind();

    /** The pool node that the step is about; empty if it is about a NameNode. */
    abstract Optional<NodeAddress> poolNode();

    /** The NameNode that the step is about; empty if it is about a pool node. */
    abstract Optional<String> nameNode();

    final String text() {
        switch (kind()) {
            case VOTE:
                return poolNode().get() + " becomes a voter";
            case LEAD:
                return nameNode().get() + " becomes the active";
            default:
                return poolNode().get() + " becomes a learner";
        }
    }
}
