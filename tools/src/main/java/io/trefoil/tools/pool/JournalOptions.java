/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.pool.StoreStatus;
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

/** The options that all journal commands share, and their ways of finding the journal and printing results. */
public final class JournalOptions {

    /** The timeout for large or throttled answers, longer than the 10 s for which a node may make a caller wait its turn. */
    private static final Duration MIN_PART_TIMEOUT = Duration.ofSeconds(30);

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
     * The guarantees that this host's settings give up, each as a sentence.
     *
     * @throws ParameterException if a setting is wrong
     */
    List<String> waivedGuarantees() {
        return requireValid(installation::waivedGuarantees);
    }

    /** @throws ParameterException if there is no such journal */
    public JournalLocation find() {
        return requireValid(() -> installation.find(Optional.ofNullable(journal)));
    }

    /**
     * What the store of the journal reports, if no pool keeps it.
     *
     * @throws ParameterException if its configuration is wrong
     */
    Optional<StoreStatus> readStoreStatus() throws IOException {
        try {
            return installation.readStoreStatus(Optional.ofNullable(journal));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The NameNode of this host, with the named journal, if one was named.
     *
     * @throws ParameterException if there is none
     */
    public LocalNameNode localNameNode() {
        LocalNameNode own = requireValid(installation::localNameNode);
        return journal == null ? own : LocalNameNode.of(own.name(), find(), own.nameDirectories());
    }

    /**
     * Whether this host's NameNode, or the command line, has an {@code ssp://} journal.
     *
     * @throws ParameterException if the configuration does not say which NameNode this host's is
     */
    public boolean isPoolConfigured() {
        return journal != null || requireValid(installation::isPoolConfigured);
    }

    /** Logs this process in as the NameNode of this host, if HDFS uses Kerberos. */
    public void logInAsLocalNameNode() throws IOException {
        installation.logInAsLocalNameNode();
    }

    /** Evaluates the typed or configured values: only for these does an {@link IllegalArgumentException} mean an operator's mistake. */
    private <T> T requireValid(Supplier<T> value) {
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
    JournalPromoter openPromotion(LocalNameNode nameNode) throws IOException {
        try {
            return installation.openPromotion(nameNode);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** Receives the progress of operations. */
    public Progress progress() {
        return installation.progress();
    }

    /** Opens a client that queries the journal's nodes; must be closed. */
    public PoolAdminClient openAdminClient(JournalLocation location) {
        return requireValid(() -> installation.openAdminClient(location, timeout()));
    }

    /** Opens a client like {@link #openAdminClient}, with the timeout that large or throttled answers need. */
    public PoolAdminClient openPatientAdminClient(JournalLocation location) {
        Duration timeout = timeout();
        return requireValid(() -> installation.openAdminClient(
                location, timeout.compareTo(MIN_PART_TIMEOUT) > 0 ? timeout : MIN_PART_TIMEOUT));
    }

    /**
     * Accepts orders about the journal's pins.
     *
     * @throws ParameterException if the configuration of the journal's NameNodes is wrong
     */
    public PinService openPinService(JournalLocation location) {
        Duration timeout = timeout();
        return requireValid(() -> installation.openPinService(location, timeout));
    }

    /** The journal's edits; must be closed. */
    public EditsSource openEdits(JournalLocation location) throws IOException {
        return installation.openEdits(location);
    }

    /** @throws ParameterException if the time to wait is not valid */
    private Duration timeout() {
        return TimeOption.timeout(command, timeoutSeconds);
    }

    /** Prints the result: as JSON if that was requested, else as text. */
    public void print(Supplier<Map<String, Object>> object, Supplier<String> text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? Json.text(object.get()) : text.get());
        out.flush();
    }
}
