/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** What an upgrade does next, and why. Immutable. */
@AutoValue
abstract class UpgradeStep {

    /** The kinds of steps. */
    enum Kind {
        /** A NameNode may be drained and stopped now. */
        STOP,
        /** A drained NameNode is back with the new version, and may be undrained. */
        FINISH,
        /** Nothing may be done now. */
        WAIT,
        /** All NameNodes run the new version, and serve. */
        DONE
    }

    static UpgradeStep stop(String nameNode, String why) {
        return new AutoValue_UpgradeStep(Kind.STOP, Optional.of(nameNode), why);
    }

    static UpgradeStep finish(String nameNode, String why) {
        return new AutoValue_UpgradeStep(Kind.FINISH, Optional.of(nameNode), why);
    }

    static UpgradeStep await(String what) {
        return new AutoValue_UpgradeStep(Kind.WAIT, Optional.empty(), what);
    }

    static UpgradeStep done(String text) {
        return new AutoValue_UpgradeStep(Kind.DONE, Optional.empty(), text);
    }

    abstract Kind kind();

    /** Whom it is about; empty if there is nothing to do, or nothing now. */
    abstract Optional<String> nameNode();

    /** Why it may be done now, or what has to come first. */
    abstract String text();

    final boolean isStopOf(String name) {
        return kind() == Kind.STOP && nameNode().filter(name::equals).isPresent();
    }
}
