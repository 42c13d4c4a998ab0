/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil journal verify}: checks whether the nodes hold the correct entries. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Reads everything that is committed on every node in reach. Changes nothing.",
            "Reports a node that cannot be reached, that cannot read an entry or has one with a wrong checksum, "
                    + "whose entries or transaction ids have gaps, or that has a different entry from the "
                    + "others."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every node was read and nothing is wrong",
            "1:something is reported, or no majority is in reach",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal verify --timeout 30"})
public final class VerifyJournalCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    public VerifyJournalCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            JournalVerifier verification =
                    JournalVerifier.of(PoolSurvey.of(place, inquiry, Long.MAX_VALUE), inquiry, options.progress());
            VerifyText report = new VerifyText(verification);
            options.print(report::json, report::table);
            return verification.isHealthy() ? ExitCode.FINE : ExitCode.FINDING;
        }
    }
}
