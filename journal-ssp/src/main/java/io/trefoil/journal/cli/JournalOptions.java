/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands about a journal understand. */
final class JournalOptions {

    @Option(
            names = "--journal",
            paramLabel = "URI|NAME",
            description = "An ssp:// URI, or the name of one of the configuration's journals; can be left out if the"
                    + " configuration has only one.")
    private String journal;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long a node may take to answer; ${DEFAULT-VALUE} if not given.")
    private int timeoutSeconds;

    @Option(names = "--json", description = "Print JSON in place of a table.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** @throws ParameterException if there is no such journal */
    JournalPlace find(Installation installation) {
        try {
            return installation.find(Optional.ofNullable(journal));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** @throws ParameterException if it is no time to wait */
    Duration patience() {
        if (timeoutSeconds < 1 || timeoutSeconds > 3600) {
            throw new ParameterException(
                    command.commandLine(), "--timeout is between 1 and 3600 seconds, got " + timeoutSeconds);
        }
        return Duration.ofSeconds(timeoutSeconds);
    }

    boolean json() {
        return json;
    }
}
