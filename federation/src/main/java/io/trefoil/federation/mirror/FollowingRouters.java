/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The Routers that follow a change of the table when notified, as with {@code table mirror}. Waits for Routers. Not thread-safe. */
public final class FollowingRouters {

    private final TableMirror mirror;
    private boolean isDone;

    public FollowingRouters(TableStore table, Routers routers) {
        mirror = new TableMirror(table, routers, EnumSet.noneOf(Consent.class));
    }

    /**
     * Checks whether the Routers can follow the change of the table; changes nothing.
     *
     * @throws TableRefusedException if they do not follow the newest version as it is: a command that has the next one followed would
     *     change where other paths lead, too
     * @throws IOException if the Routers could not be made to follow: none answers, or it would be refused
     */
    public void check() throws IOException {
        List<String> pending = mirror.dryRun().changes().stream()
                .filter(change -> change.kind() != MountChange.Kind.MARK)
                .map(change -> change.kind().text() + " " + change.path() + " " + change.nameservice())
                .collect(Collectors.toList());
        if (!pending.isEmpty()) {
            throw new TableRefusedException(
                    "The Routers do not follow the table as it is, and would with the move change"
                            + " more than its subtree: " + String.join(", ", pending)
                            + ". Look at that by hdfs trefoil table mirror --dry-run, do it without --dry-run, and move then;"
                            + " nothing was changed");
        }
    }

    /**
     * Makes the Routers send clients to the owners in the newest version. Once all do, nothing is asked any longer.
     *
     * @return which do not, and why; empty if all do
     */
    public Optional<String> updateRouters() {
        if (isDone) {
            return Optional.empty();
        }
        List<String> failures = new ArrayList<>();
        try {
            MirrorOutcome outcome = mirror.run();
            outcome.staleRouters().forEach((router, reason) -> failures.add(router + ": " + reason));
            outcome.missingEntries()
                    .forEach((path, nameservice) -> failures.add(
                            "the State Store did not return the entry of " + path + ", which led to " + nameservice));
        } catch (IOException e) {
            // A Router appends its stack trace.
            failures.add(String.valueOf(e.getMessage()).split("\n", 2)[0]);
        }
        isDone = failures.isEmpty();
        return isDone ? Optional.empty() : Optional.of(String.join("; ", failures));
    }
}
