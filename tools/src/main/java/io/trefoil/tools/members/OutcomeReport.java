/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outcome for each server, one line each, followed by the remaining work. One thread. */
final class OutcomeReport {

    /** The state of a server. */
    enum State {
        /** The server is in the desired state. */
        DONE,
        /** The server is not in the desired state, as a dry run changes nothing; the command would change it. */
        TO_DO,
        /** The server is not in the desired state, and an operator must act. */
        TROUBLE
    }

    private static final class Line {
        final String server;
        final State state;
        final String text;

        Line(String server, State state, String text) {
            this.server = server;
            this.state = state;
            this.text = text;
        }
    }

    private final List<Line> lines = new ArrayList<>();

    void add(String server, State state, String text) {
        lines.add(new Line(server, state, text));
    }

    boolean isDone() {
        return containsState(State.DONE) && !containsState(State.TO_DO) && !containsState(State.TROUBLE);
    }

    boolean hasFailures() {
        return containsState(State.TROUBLE);
    }

    private boolean containsState(State state) {
        return lines.stream().anyMatch(line -> line.state == state);
    }

    /** The exit code of the command. */
    int exitCode() {
        return hasFailures() ? ExitCode.FINDING : ExitCode.FINE;
    }

    String text(String end) {
        Table table = new Table("SERVER", "STATE", "");
        lines.forEach(line -> table.row(line.server, stateText(line.state), line.text));
        return table + "\n" + end + "\n";
    }

    Map<String, Object> json(String nameNode, String end) {
        List<Map<String, Object>> servers = new ArrayList<>();
        for (Line line : lines) {
            Map<String, Object> server = new LinkedHashMap<>();
            server.put("server", line.server);
            server.put("state", stateText(line.state));
            server.put("text", line.text);
            servers.add(server);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameNode", nameNode);
        object.put("done", isDone());
        object.put("servers", servers);
        object.put("text", end);
        return object;
    }

    private static String stateText(State state) {
        switch (state) {
            case DONE:
                return "done";
            case TO_DO:
                return "to do";
            default:
                return "trouble";
        }
    }
}
