/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.tools.cluster.GroupServers;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.Json;
import io.trefoil.tools.output.TimeOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all commands about a group of NameNodes share, and their ways of querying and printing. */
public final class GroupOptions {

    private final NameNodes nameNodes;

    @Option(
            names = "--nameservice",
            paramLabel = "NAME",
            description = "Which nameservice; can be left out if the configuration has only one.")
    private String nameservice;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long a NameNode may take to answer; ${DEFAULT-VALUE} if not given.")
    private int timeoutSeconds;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    public GroupOptions(NameNodes nameNodes) {
        this.nameNodes = nameNodes;
    }

    /** @throws ParameterException if there is no such nameservice, or the time to wait is not valid */
    public GroupReports queryReports() throws IOException {
        Duration timeout = timeout();
        return GroupReports.of(group(), nameNodes, timeout);
    }

    /** @throws ParameterException as {@link #queryReports} */
    public GroupStatus queryStatus() throws IOException {
        Duration timeout = timeout();
        return GroupStatus.of(group(), nameNodes, timeout);
    }

    /**
     * Accepts orders about the group's elections.
     *
     * @param subject the NameNode whose election it is
     * @throws ParameterException if the nameservice has no such NameNode
     */
    NameNodes.Elections elections(String subject) {
        requireKnown(subject);
        return elections();
    }

    /** @throws ParameterException if the nameservice has no such NameNode */
    public void requireKnown(String nameNode) {
        Set<String> known = group().webAddresses().keySet();
        if (!known.contains(nameNode)) {
            throw new ParameterException(
                    command.commandLine(), "Wanted one of the NameNodes " + known + ", got '" + nameNode + "'");
        }
    }

    /** Whether the NameNodes are configured to fail over automatically. */
    boolean isElected() {
        return nameNodes.isElected(group().nameservice());
    }

    /**
     * One of Hadoop's beans, as a NameNode exposes it.
     *
     * @param bean the last part of its name
     * @return a missing node if the NameNode does not have it yet
     * @throws IOException if it does not answer
     */
    JsonNode fetchBean(String nameNode, String bean) throws IOException {
        return GroupReports.beans(nameNodes.fetchBean(
                        group().webAddresses().get(nameNode), "Hadoop:service=NameNode,name=" + bean, timeout()))
                .path(0);
    }

    /** Accepts orders about the group's elections. */
    public NameNodes.Elections elections() {
        Duration timeout = timeout();
        return nameNodes.elections(group().nameservice(), timeout);
    }

    /**
     * The time that one server may take to answer.
     *
     * @throws ParameterException if it is not valid
     */
    public Duration timeout() {
        return TimeOption.timeout(command, timeoutSeconds);
    }

    /**
     * The name of the nameservice.
     *
     * @throws ParameterException if there is no such nameservice
     */
    public String nameservice() {
        return group().nameservice();
    }

    private NameNodeGroup group() {
        try {
            return nameNodes.find(Optional.ofNullable(nameservice));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The servers of the group.
     *
     * @throws ParameterException as {@link #queryReports}
     */
    public GroupServers servers() {
        Duration timeout = timeout();
        return nameNodes.servers(group().nameservice(), timeout);
    }

    /** Prints the result: as JSON if that was requested, else as text. */
    public void print(Supplier<Map<String, Object>> object, Supplier<String> text) {
        print(json ? Json.text(object.get()) : text.get());
    }

    void print(String text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(text);
        out.flush();
    }
}
