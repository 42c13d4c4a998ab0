/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

import io.trefoil.tools.table.model.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** Routers that follow a change of the table when whoever made it says so, as by {@code table mirror}. Waits for Routers. Not thread-safe. */
public final class FollowingRouters {

    private final TableMirror mirror;
    private boolean isDone;

    public FollowingRouters(TableStore table, Routers routers) {
        mirror = new TableMirror(table, routers, EnumSet.noneOf(Consent.class));
    }

    /**
     * Changes nothing.
     *
     * @throws IOException if the Routers could not be made to follow: none answers, or it would be refused
     */
    public void check() throws IOException {
        mirror.look();
    }

    /**
     * Has them send clients to the owners that the newest version has. Once all do, nothing is asked any more.
     *
     * @return which do not, and why; empty if all do
     */
    public Optional<String> follow() {
        if (isDone) {
            return Optional.empty();
        }
        List<String> why = new ArrayList<>();
        try {
            MirrorOutcome outcome = mirror.run();
            outcome.behind().forEach((router, reason) -> why.add(router + ": " + reason));
            outcome.unseen()
                    .forEach((path, nameservice) -> why.add(
                            "the State Store did not return the entry of " + path + ", which led to " + nameservice));
        } catch (IOException e) {
            // A Router appends its stack trace.
            why.add(String.valueOf(e.getMessage()).split("\n", 2)[0]);
        }
        isDone = why.isEmpty();
        return isDone ? Optional.empty() : Optional.of(String.join("; ", why));
    }
}
