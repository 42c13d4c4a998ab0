/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.foundation.Pause;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil drain}: prepares for stopping a host for maintenance. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Has a NameNode leave the active's role to others until it is undrained: it hands the role over if it has it, and is"
                    + " elected only if no other NameNode can be. It goes on as a standby, and so does its pool node.",
            "Returns when it says that it is not active any more, and warns if the journal needs its pool node."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is drained and not active, and its host may be stopped",
            "1:refused, still active or silent about it, or its pool node is needed; the output says which",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers, either before it is drained or after; the output says which"
        },
        footer = {"", "Examples:", "  hdfs trefoil drain nn1", "  hdfs trefoil drain --wait 5m"})
public final class DrainCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 250;

    private final Installation installation;

    @Mixin
    private final GroupOptions options;

    @Parameters(
            paramLabel = "NAMENODE",
            arity = "0..1",
            description = "Its id in the configuration; if not given, that of this host.")
    private String nameNode;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "90s",
            description =
                    "How long it may take to hand over, as 30s, or a number of seconds; ${DEFAULT-VALUE} if not given.")
    private String time;

    @Spec
    private CommandSpec command;

    public DrainCommand(Installation installation) {
        this.installation = installation;
        options = new GroupOptions(installation.nameNodes());
    }

    /** The named NameNode, or else this host's. */
    static String nameNode(String name, Installation installation, CommandSpec command) {
        if (name != null) {
            return name;
        }
        try {
            return installation.localNameNode().name();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "NAMENODE is missing. " + e.getMessage(), e);
        }
    }

    @Override
    public Integer call() throws IOException {
        String name = nameNode(nameNode, installation, command);
        Duration wait = TimeOption.parseWait(command, time);
        String done = options.elections(name).drain(name);
        JsonNode status = awaitStandby(name, wait);
        JsonNode member = Readiness.member(status, name);
        boolean isNeeded = member.path("poolNodeNeeded").asBoolean();
        boolean isMajoritySeen = status.path("pool").path("votersServing").asInt()
                >= status.path("pool").path("majority").asInt();
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("nameNode", name);
                    object.put("done", done);
                    object.put("active", isAnswering(member) ? isActive(member) : null);
                    object.put("poolNodeNeeded", isNeeded);
                    return object;
                },
                () -> done + "\n"
                        + (isStandby(member) ? "" : notStandbyText(name, member))
                        + (isNeeded ? neededText(name) : "")
                        + (isMajoritySeen ? "" : noMajorityText(name)));
        return isStandby(member) && !isNeeded && isMajoritySeen ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String notStandbyText(String name, JsonNode member) {
        return isAnswering(member)
                ? "But " + name
                        + " is still active: no other NameNode took over. It hands over to the next standby; do not stop "
                        + "it before that\n"
                : "But " + name
                        + " does not say whether it is active: it does not answer. If it runs, do not stop it before it does, or"
                        + " before 'hdfs trefoil status' shows another active\n";
    }

    private static String neededText(String name) {
        return "Warning: the pool node of " + name
                + " is needed for a majority. Clients wait while it is stopped; bring other"
                + " pool nodes back first, see 'hdfs trefoil status'\n";
    }

    private static String noMajorityText(String name) {
        return "Warning: fewer pool nodes answer than a majority, so that of " + name
                + " may be needed; see 'hdfs trefoil status'\n";
    }

    /** The first status in which the NameNode reports not to be active, or the last status if time runs out. */
    private JsonNode awaitStandby(String name, Duration wait) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            JsonNode status = status(name);
            if (isStandby(Readiness.member(status, name)) || System.nanoTime() - begun > wait.toNanos()) {
                return status;
            }
            Pause.sleepMillis(LOOK_MILLIS, "Interrupted; " + name + " is drained nevertheless");
        }
    }

    private JsonNode status(String name) throws IOException {
        try {
            return options.queryStatus().document();
        } catch (NoAnswerException e) {
            throw new NoAnswerException(name + " is drained, but is it still active? " + e.getMessage());
        }
    }

    /** Whether a NameNode answers and is not active: one that does not answer may be the active during a long pause. */
    private static boolean isStandby(JsonNode member) {
        return isAnswering(member) && !isActive(member);
    }

    private static boolean isAnswering(JsonNode member) {
        return member.path("answered").asBoolean();
    }

    private static boolean isActive(JsonNode member) {
        return member.path("state").asText().equals("active");
    }
}
