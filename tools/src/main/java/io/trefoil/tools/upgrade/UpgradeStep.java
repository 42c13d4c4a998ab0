/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** The next step of an upgrade, and its reason. Immutable. */
@AutoValue
abstract class UpgradeStep {

    /** The kinds of steps. */
    enum Kind {
        /** A NameNode may be drained and stopped now. */
        STOP,
        /** A drained NameNode is back with the new version, and may be undrained. */
        FINISH,
        /** Nothing may be done now: wait. */
        WAIT,
        /** All NameNodes run the new version and serve. */
        DONE
    }

    static UpgradeStep stop(String nameNode, String reason) {
        return new AutoValue_UpgradeStep(Kind.STOP, Optional.of(nameNode), reason);
    }

    static UpgradeStep finish(String nameNode, String reason) {
        return new AutoValue_UpgradeStep(Kind.FINISH, Optional.of(nameNode), reason);
    }

    static UpgradeStep await(String condition) {
        return new AutoValue_UpgradeStep(Kind.WAIT, Optional.empty(), condition);
    }

    static UpgradeStep done(String text) {
        return new AutoValue_UpgradeStep(Kind.DONE, Optional.empty(), text);
    }

    abstract Kind kind();

    /** Returns the NameNode concerned; empty if there is nothing to do, or nothing now. */
    abstract Optional<String> nameNode();

    /** Returns why the step may be taken now, or what must happen first. */
    abstract String text();

    final boolean isStopOf(String name) {
        return kind() == Kind.STOP && nameNode().filter(name::equals).isPresent();
    }
}
