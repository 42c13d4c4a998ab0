/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.mirror.FollowingRouters;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.RouterUpdater;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the rate of a move, and for the Routers that are to follow the subtree table. */
final class MoveOptions {

    private static final int MAX_RATE = 1_000_000;
    private static final List<String> NOBODY = Collections.singletonList("none");

    private final Installation installation;

    @Option(
            names = "--rate",
            paramLabel = "FILES",
            description =
                    "Read, make and finish at most so many files and directories a second, 1 to 1000000, while clients work; not in the"
                            + " pause. If not given, as in the command that was interrupted, otherwise as fast as servers answer.")
    private Integer rate;

    @Option(
            names = "--router",
            paramLabel = "HOST:PORT",
            description =
                    "Where the administration of a Router listens that is to follow; may be given several times, once for each Router that"
                            + " shares the State Store. If not given, those of the command that was interrupted, otherwise none;"
                            + " none, if Routers that were named are gone for good.")
    private List<String> routers = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** An action that moves a subtree. */
    interface MoveAction<T> {
        T move(RouterUpdater routes) throws IOException;
    }

    MoveOptions(Installation installation) {
        this.installation = installation;
    }

    /** @throws ParameterException if the rate is out of bounds */
    void check() {
        if (rate != null && (rate < 1 || rate > MAX_RATE)) {
            throw new ParameterException(
                    command.commandLine(), "Wanted --rate from 1 to " + MAX_RATE + " files a second, found " + rate);
        }
    }

    /** The move at the requested rate and with the requested Routers, or with its own if none were requested. */
    MoveRecord applyTo(MoveRecord record) {
        MoveRecord limited = rate == null ? record : record.withRate(rate);
        return routers.isEmpty() ? limited : limited.withRouters(givenRouters());
    }

    private List<String> givenRouters() {
        return routers.equals(NOBODY) ? Collections.emptyList() : routers;
    }

    /** The options to append to the command of a move to make the same Routers follow. */
    String optionsText() {
        return MoveRecord.routerOptions(givenRouters());
    }

    /**
     * Checks whether the Routers can follow; changes nothing.
     *
     * @throws IOException if the Routers that were named could not be made to follow: none answers, or it would be refused
     */
    void checkRouters(TableStore table) throws IOException {
        if (!givenRouters().isEmpty()) {
            try (Routers opened = open(givenRouters())) {
                new FollowingRouters(table, opened).check();
            }
        }
    }

    /**
     * Moves a subtree with the Routers in its record.
     *
     * @throws IOException what the move throws; while clients work at the source, also, before anything changes, if the Routers could not
     *     be made to follow. A move that was interrupted later must continue without them: clients may be refused until it does
     */
    <T> T moveWithRouters(TableStore table, MoveRecord record, MoveAction<T> moving) throws IOException {
        if (record.routers().isEmpty()) {
            return moving.move(Optional::empty);
        }
        try (Routers opened = open(record.routers())) {
            FollowingRouters following = new FollowingRouters(table, opened);
            if (record.phase() == MovePhase.COPYING) {
                following.check();
            }
            return moving.move(following::updateRouters);
        }
    }

    private Routers open(List<String> addresses) throws IOException {
        try {
            return Federation.of(installation).openRouters(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
