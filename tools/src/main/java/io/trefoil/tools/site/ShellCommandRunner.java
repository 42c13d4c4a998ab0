/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.function.Consumer;

/** Runs shell commands, as an operator would type them, on this host or by ssh on another. */
final class ShellCommandRunner {
    /** The default options, as in Hadoop's own scripts. */
    private static final String SSH_OPTIONS = "-o StrictHostKeyChecking=no";

    /**
     * The options that follow all others, as ssh uses the first of each: no password is asked for, and the command ends if the host dies.
     */
    private static final String MORE_SSH_OPTIONS =
            "-o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=10 -o ServerAliveCountMax=3";

    /** The exit code of ssh if it did not run the command. */
    private static final int NO_CONNECTION = 255;

    private final Map<String, String> environment;

    /** @param environment of the processes */
    ShellCommandRunner(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Runs a command line to completion.
     *
     * @param lines gets what it prints, result and errors
     * @return its exit code
     */
    int run(String line, Consumer<String> lines) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", line).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
            String said = output.readLine();
            while (said != null) {
                lines.accept(said);
                said = output.readLine();
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while this ran: " + line);
        } finally {
            process.destroy();
        }
    }

    /**
     * Runs a line on another host, with the options of {@code HADOOP_SSH_OPTS}.
     *
     * @throws IOException if ssh does not get there
     */
    int runOn(String host, String line, Consumer<String> lines) throws IOException {
        int code = run(
                "ssh " + environment.getOrDefault("HADOOP_SSH_OPTS", SSH_OPTIONS) + " " + MORE_SSH_OPTIONS + " " + host
                        + " " + quote(line),
                lines);
        if (code == NO_CONNECTION) {
            throw new IOException("ssh to " + host + " failed, see above; try it by hand as this user,"
                    + " and set HADOOP_SSH_OPTS in hadoop-env.sh if it needs options");
        }
        return code;
    }

    /** Quotes a text so that the shell treats it as one word. */
    static String quote(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
