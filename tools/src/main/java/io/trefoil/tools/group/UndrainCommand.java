/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil undrain}: returns a host to service after maintenance. */
@Command(
        name = "undrain",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = "Lets a drained NameNode take part in elections again. The role stays where it is.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is not drained",
            "1:refused; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil undrain nn1"})
public final class UndrainCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final GroupOptions options;

    @Parameters(
            paramLabel = "NAMENODE",
            arity = "0..1",
            description = "Its id in the configuration; if not given, that of this host.")
    private String nameNode;

    @Spec
    private CommandSpec command;

    public UndrainCommand(Installation installation) {
        this.installation = installation;
        options = new GroupOptions(installation.nameNodes());
    }

    @Override
    public Integer call() throws IOException {
        String name = DrainCommand.nameNode(nameNode, installation, command);
        String done = options.elections(name).undrain(name);
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("nameNode", name);
                    object.put("done", done);
                    return object;
                },
                () -> done + "\n");
        return ExitCode.FINE;
    }
}
