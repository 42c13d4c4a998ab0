/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.promote.JournalPromotion;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.EditsSource;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.LocalNameNode;
import io.trefoil.tools.output.Json;
import io.trefoil.tools.output.TimeOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all journal commands share, and how they find the journal and print results. */
public final class JournalOptions {

    /** The patience with large or throttled answers, longer than a node makes a caller wait for a turn, which is at most 10 s. */
    private static final Duration FOR_A_PART = Duration.ofSeconds(30);

    private final Installation installation;

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

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    public JournalOptions(Installation installation) {
        this.installation = installation;
    }

    /**
     * The guarantees that this host's settings give up, a sentence each.
     *
     * @throws ParameterException if a setting is wrong
     */
    List<String> givenUp() {
        return configured(installation::givenUp);
    }

    /** @throws ParameterException if there is no such journal */
    public JournalLocation find() {
        return configured(() -> installation.find(Optional.ofNullable(journal)));
    }

    /**
     * The NameNode of this host, with the journal that was named, if one was.
     *
     * @throws ParameterException if there is none
     */
    public LocalNameNode localNameNode() {
        LocalNameNode own = configured(installation::localNameNode);
        return journal == null ? own : LocalNameNode.of(own.name(), find(), own.nameDirectories());
    }

    /**
     * Whether this host's NameNode, or the command line, has an {@code ssp://} journal.
     *
     * @throws ParameterException if the configuration does not say which NameNode this host's is
     */
    public boolean isPoolConfigured() {
        return journal != null || configured(installation::isPoolConfigured);
    }

    /** Logs this process in as the NameNode of this host, where HDFS uses Kerberos. */
    public void logInAsLocalNameNode() throws IOException {
        installation.logInAsLocalNameNode();
    }

    /** Evaluates what was typed or configured: only there does an {@link IllegalArgumentException} mean an operator's mistake. */
    private <T> T configured(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The pool node of this host, for a promotion; must be closed.
     *
     * @throws ParameterException if the configuration does not say where it is
     */
    JournalPromotion promotion(LocalNameNode nameNode) throws IOException {
        try {
            return installation.promotion(nameNode);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** Receives the progress of operations. */
    public Progress progress() {
        return installation.progress();
    }

    /** Asks the journal's nodes; must be closed. */
    public PoolAdminClient ask(JournalLocation place) {
        return configured(() -> installation.ask(place, patience()));
    }

    /** Asks the journal's nodes like {@link #ask}, with the patience that large or throttled answers need. */
    public PoolAdminClient partClient(JournalLocation place) {
        Duration patience = patience();
        return configured(() -> installation.ask(place, patience.compareTo(FOR_A_PART) > 0 ? patience : FOR_A_PART));
    }

    /**
     * Takes orders about the journal's pins.
     *
     * @throws ParameterException if the configuration of the journal's NameNodes is wrong
     */
    public PinService pins(JournalLocation place) {
        Duration patience = patience();
        return configured(() -> installation.pins(place, patience));
    }

    /** The journal's edits; must be closed. */
    public EditsSource edits(JournalLocation place) throws IOException {
        return installation.edits(place);
    }

    /** @throws ParameterException if the time to wait is not valid */
    private Duration patience() {
        return TimeOption.timeout(command, timeoutSeconds);
    }

    /** Prints the result: as JSON if that was requested, else as text. */
    public void print(Supplier<Map<String, Object>> object, Supplier<String> text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? Json.text(object.get()) : text.get());
        out.flush();
    }
}
