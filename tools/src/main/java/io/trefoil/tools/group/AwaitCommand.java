/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import io.trefoil.foundation.Pause;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil await}: waits until a NameNode serves in the intended role. */
@Command(
        name = "await",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Waits until a NameNode serves as what it should, so that the next one may be stopped: it is active, or a standby or"
                    + " observer that is out of safe mode and caught up; its pool node is in sync and votes, unless it is a"
                    + " permanent learner; and clients are served. Says what it waits for whenever that changes.",
            "Without automatic failover by Trefoil, NameNodes say less: it waits until the NameNode is out of safe mode, and every"
                    + " pool node in order, if the edits are in a pool. Changes nothing."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:each of them serves as it should",
            "1:one did not in time; the output says what it lacks",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answered in time"
        },
        footer = {"", "Examples:", "  hdfs trefoil await", "  hdfs trefoil await nn1 nn2 nn3 --wait 5m"})
public final class AwaitCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 500;
    /** The number of entries that a healthy node may lack, as in {@code journal status}. */
    private static final long MAX_LAG = 1000;

    private final Installation installation;

    @Mixin
    private final GroupOptions options;

    @Parameters(
            paramLabel = "NAMENODE",
            arity = "0..*",
            description = "Their ids in the configuration; if not given, that of this host.")
    private List<String> nameNodes;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "30m",
            description =
                    "How long it may take, as 30m, or a number of seconds; 0 asks once; ${DEFAULT-VALUE} if not given.")
    private String time;

    @Spec
    private CommandSpec command;

    public AwaitCommand(Installation installation) {
        this.installation = installation;
        options = new GroupOptions(installation.nameNodes());
    }

    @Override
    public Integer call() throws IOException {
        List<String> names = nameNodes == null
                ? Collections.singletonList(DrainCommand.nameNode(null, installation, command))
                : nameNodes;
        names.forEach(options::requireKnown);
        Duration wait = TimeOption.parseWait(command, time);
        long start = System.nanoTime();
        List<Readiness> readinesses = await(names, wait, start);
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        boolean isDone = readinesses.stream().allMatch(Readiness::isReady);
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("done", isDone);
                    object.put("waitedMillis", waited);
                    object.put(
                            "nameNodes",
                            readinesses.stream().map(AwaitCommand::toFields).collect(Collectors.toList()));
                    return object;
                },
                () -> text(readinesses) + "\n");
        return isDone ? ExitCode.FINE : ExitCode.FINDING;
    }

    private List<Readiness> await(List<String> names, Duration wait, long start) throws IOException {
        PrintWriter err = command.commandLine().getErr();
        String said = "";
        while (true) {
            boolean isOver = System.nanoTime() - start >= wait.toNanos();
            String missing;
            try {
                List<Readiness> readinesses = readiness(names);
                if (isOver || readinesses.stream().allMatch(Readiness::isReady)) {
                    return readinesses;
                }
                missing = text(readinesses.stream()
                        .filter(readiness -> !readiness.isReady())
                        .collect(Collectors.toList()));
            } catch (NoAnswerException e) {
                if (isOver) {
                    throw e;
                }
                missing = "no NameNode answers";
            }
            if (!missing.equals(said)) {
                err.println("Waiting: " + missing.replace("\n", "; "));
                err.flush();
                said = missing;
            }
            pause();
        }
    }

    private List<Readiness> readiness(List<String> names) throws IOException {
        List<Readiness> readinesses = new ArrayList<>();
        if (options.isElected()) {
            GroupStatus status = options.queryStatus();
            names.forEach(name -> readinesses.add(Readiness.of(status.document(), name)));
            return readinesses;
        }
        String pool = poolFailure(names.get(0));
        for (String name : names) {
            readinesses.add(readinessWithoutAgent(name, pool));
        }
        return readinesses;
    }

    private Readiness readinessWithoutAgent(String name, String pool) {
        try {
            return Readiness.withoutAgent(
                    name, options.fetchBean(name, "NameNodeStatus"), options.fetchBean(name, "NameNodeInfo"), pool);
        } catch (IOException e) {
            return Readiness.of(name, "", "does not answer: " + e.getMessage());
        }
    }

    /** The fault of the journal that a NameNode shares with the others; empty if there is none, or no such journal. */
    private String poolFailure(String nameNode) throws IOException {
        Optional<JournalLocation> journal = installation.journalOf(options.nameservice(), nameNode);
        if (!journal.isPresent()) {
            return "";
        }
        JournalLocation place = journal.get();
        try (PoolAdminClient inquiry = installation.openAdminClient(place, options.timeout())) {
            PoolStatus status = PoolSurvey.of(place, inquiry, MAX_LAG);
            return status.isHealthy()
                    ? ""
                    : status.nodes().stream()
                            .flatMap(node -> status.findings(node).stream()
                                    .map(finding -> "pool node " + node.address() + " " + finding))
                            .findFirst()
                            .orElse("no majority of the pool is in reach");
        } catch (NoAnswerException e) {
            return "no pool node answers";
        }
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(LOOK_MILLIS, "Interrupted while waiting");
    }

    private static String text(List<Readiness> readiness) {
        return readiness.stream().map(Readiness::sentence).collect(Collectors.joining("\n"));
    }

    private static Map<String, Object> toFields(Readiness readiness) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", readiness.nameNode());
        fields.put("state", readiness.state());
        fields.put("ready", readiness.isReady());
        fields.put("missing", readiness.missing());
        return fields;
    }
}
