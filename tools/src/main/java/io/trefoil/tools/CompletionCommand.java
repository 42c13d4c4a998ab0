/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code trefoil generate-completion}: makes Tab work, for {@code trefoil} and for {@code hdfs trefoil}. */
@Command(
        name = "generate-completion",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Prints a completion script for bash and zsh, for trefoil and hdfs trefoil.",
            "Use: source <(hdfs trefoil generate-completion)"
        },
        footer = {"", "Examples:", "  hdfs trefoil generate-completion"})
final class CompletionCommand implements Callable<Integer> {

    private static final String HDFS_SCRIPT = "hdfs-completion.bash";

    /** The name under which a shell looks up completions; its script for {@code hdfs} calls the functions of this one. */
    private static final String COMPLETED = "trefoil";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        CommandLine trefoil = spec.root().commandLine();
        spec.commandLine().getOut().print(AutoComplete.bash(COMPLETED, trefoil) + hdfsScript());
        return ExitCode.FINE;
    }

    private static String hdfsScript() throws IOException {
        ByteArrayOutputStream script = new ByteArrayOutputStream();
        try (InputStream in = CompletionCommand.class.getResourceAsStream(HDFS_SCRIPT)) {
            byte[] part = new byte[4096];
            for (int length = in.read(part); length >= 0; length = in.read(part)) {
                script.write(part, 0, length);
            }
        }
        return new String(script.toByteArray(), StandardCharsets.UTF_8);
    }
}
