/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.Pause;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.group.GroupOptions;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all upgrade commands share: the version, and those for querying and waiting. */
final class UpgradeOptions {
    private static final long LOOK_MILLIS = 500;

    @Mixin
    private final GroupOptions group;

    @Option(
            names = "--to",
            paramLabel = "VERSION",
            description = "The version of Trefoil that all shall run; that of this command if not given.")
    private String version;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    UpgradeOptions(NameNodes nameNodes) {
        group = new GroupOptions(nameNodes);
    }

    GroupOptions group() {
        return group;
    }

    /** @throws ParameterException if it is not given, and this command has none */
    String version() throws IOException {
        if (version != null) {
            return version;
        }
        return VersionOfJar.version()
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        "This command has no version of its own; name the one to reach with --to"));
    }

    /** @throws ParameterException if the nameservice has no such NameNode */
    void checkKnown(String nameNode) {
        group.requireKnown(nameNode);
    }

    ObservedCluster observe() throws IOException {
        return ObservedCluster.of(group.queryStatus().document());
    }

    /**
     * Polls until there is nothing to wait for, or time is up; prints on standard error what it waits for, whenever that changes.
     *
     * @param time as the user typed it
     * @param condition what is waited for
     * @return what was seen last, and what was missing then
     * @throws NoAnswerException if no NameNode answered last
     */
    AwaitResult await(String time, Condition condition) throws IOException {
        Duration wait = TimeOption.parseWait(command, time);
        long begun = System.nanoTime();
        String said = "";
        while (true) {
            boolean isOver = System.nanoTime() - begun >= wait.toNanos();
            String now;
            try {
                ObservedCluster seen = observe();
                now = condition.missing(seen);
                if (isOver || now.isEmpty()) {
                    return new AutoValue_UpgradeOptions_AwaitResult(seen, now);
                }
            } catch (NoAnswerException e) {
                if (isOver) {
                    throw e;
                }
                now = "no NameNode answers";
            }
            if (!now.equals(said)) {
                print("Waiting: " + now);
                said = now;
            }
            pause();
        }
    }

    private void print(String text) {
        PrintWriter err = command.commandLine().getErr();
        err.println(text);
        err.flush();
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(LOOK_MILLIS, "Interrupted while waiting");
    }

    /** A condition of a nameservice that a command waits for. */
    interface Condition {

        /** Returns what is still missing; empty if nothing. */
        String missing(ObservedCluster cluster) throws IOException;
    }

    /** The end of waiting. Immutable. */
    @AutoValue
    abstract static class AwaitResult {

        abstract ObservedCluster lastObserved();

        /** Returns what was still missing when time was up; empty if nothing. */
        abstract String missing();
    }
}
