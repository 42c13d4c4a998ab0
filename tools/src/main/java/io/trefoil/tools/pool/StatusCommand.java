/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import io.trefoil.tools.pool.survey.StatusText;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil journal status}: shows the state of the nodes. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Asks every pool node how it is: those of the URI, and members that it does not name. Changes nothing.",
            "Reports a node that is down, not formatted, failed, refetching damaged entries, of another "
                    + "namespace, not a member, behind by more than --max-lag, in disagreement with the others, "
                    + "or whose disk has not answered for 3 s.",
            "Of a bk:// journal it shows the newest ledgers, and how many bookies may be lost."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every node is in order, or one more bookie may be lost",
            "1:something is reported, no majority is in reach, or no bookie may be lost",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal status", "  hdfs trefoil journal status --max-lag 100 --json"
        })
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Option(
            names = "--max-lag",
            paramLabel = "ENTRIES",
            defaultValue = "1000",
            description = "How far a node may be behind the furthest; ${DEFAULT-VALUE} if not given.")
    private long maxLag;

    @Spec
    private CommandSpec command;

    public StatusCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (maxLag < 0) {
            throw new ParameterException(command.commandLine(), "--max-lag is at least 0 entries, got " + maxLag);
        }
        Optional<StoreStatus> store = options.readStoreStatus();
        if (store.isPresent()) {
            StoreText report = new StoreText(store.get());
            options.print(report::json, report::table);
            return store.get().toleratedFailures() > 0 ? ExitCode.FINE : ExitCode.FINDING;
        }
        JournalLocation place = options.find();
        List<String> givenUp = options.waivedGuarantees();
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, maxLag);
            StatusText report = new StatusText(status, givenUp);
            options.print(report::json, report::table);
            return status.isHealthy() ? ExitCode.FINE : ExitCode.FINDING;
        }
    }
}
