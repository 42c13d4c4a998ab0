/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

/**
 * The exit code and output of a command.
 *
 * @param command the command in readable form
 * @param exitCode zero for success
 * @param output everything it printed, on both streams
 */
public record ToolResult(String command, int exitCode, String output) {
    /** Returns this if the command succeeded; otherwise throws an {@link AssertionError} with its output. */
    public ToolResult expectSuccess() {
        if (exitCode != 0) {
            throw new AssertionError("exit code " + exitCode + " of: " + command + "\n" + output);
        }
        return this;
    }
}
