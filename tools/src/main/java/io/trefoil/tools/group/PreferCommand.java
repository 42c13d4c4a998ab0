/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil prefer}: makes a NameNode the preferred one in elections, whatever the priorities. */
@Command(
        name = "prefer",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Has a NameNode elected before all other standbys, whatever their priorities, until that is cleared "
                    + "or expires. With neither NAMENODE nor --clear it shows which one is preferred.",
            "It decides which NameNode takes over, not when: 'hdfs haadmin -failover' moves the role now."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is so, or was shown",
            "1:refused, or shown while no NameNode that answers reaches ZooKeeper; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil prefer nn2 --for 12h",
            "  hdfs trefoil prefer --clear",
            "  hdfs trefoil prefer"
        })
public final class PreferCommand implements Callable<Integer> {

    @Mixin
    private final GroupOptions options;

    @Parameters(paramLabel = "NAMENODE", arity = "0..1", description = "Its id in the configuration.")
    private String nameNode;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "After how long it expires, as 30m, 12h, 7d; if not given, it lasts until --clear.")
    private String time;

    @Option(names = "--clear", description = "Prefer no NameNode any more.")
    private boolean clear;

    @Spec
    private CommandSpec command;

    public PreferCommand(NameNodes nameNodes) {
        options = new GroupOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        if (clear && nameNode != null) {
            throw new ParameterException(command.commandLine(), "--clear takes no NAMENODE");
        }
        if (time != null && nameNode == null) {
            throw new ParameterException(command.commandLine(), "--for wants a NAMENODE");
        }
        if (clear) {
            printResult(options.elections().clearPreference());
        } else if (nameNode != null) {
            Optional<Duration> duration =
                    Optional.ofNullable(time).map(text -> TimeOption.parse(command, "--for", text));
            printResult(options.elections(nameNode).prefer(nameNode, duration));
        } else {
            return show(options.queryReports());
        }
        return ExitCode.FINE;
    }

    private void printResult(String result) {
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("done", result);
                    return object;
                },
                () -> result + "\n");
    }

    private int show(GroupReports answers) throws IOException {
        JsonNode preferred = answers.newest("View").path("orders").path("preferred");
        boolean isOver = preferred.has("until")
                && preferred.path("until").asLong() <= Instant.now().toEpochMilli();
        boolean stands = preferred.isObject() && !isOver;
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("preferred", stands ? preferred.path("nameNode").asText() : "");
                    object.put("by", stands ? preferred.path("by").asText() : "");
                    object.put("since", stands ? preferred.path("since").asLong() : null);
                    object.put(
                            "until",
                            stands && preferred.has("until")
                                    ? preferred.path("until").asLong()
                                    : null);
                    return object;
                },
                () -> (stands ? text(preferred) : "No NameNode is preferred\n")
                        + (answers.isCurrent()
                                ? ""
                                : "No NameNode that answers reaches ZooKeeper, so this may be outdated\n"));
        return answers.isCurrent() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String text(JsonNode preferred) {
        return preferred.path("nameNode").asText() + " is preferred by "
                + preferred.path("by").asText() + " since "
                + Instant.ofEpochMilli(preferred.path("since").asLong())
                + (preferred.has("until")
                        ? ", until "
                                + Instant.ofEpochMilli(preferred.path("until").asLong())
                        : "")
                + "\n";
    }
}
