/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil archive mount}: serves a file system with a namespace of the past. */
@Command(
        name = "mount",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Serves the namespace of a time or after a transaction for reading, until it is ended (Ctrl-C): fetches it, and starts a stock"
                    + " NameNode on it in this process, which takes as much memory and time as any (HADOOP_CLIENT_OPTS=-Xmx...).",
            "hdfs dfs -ls, -count, hdfs fsck -files and a browser read it. It never leaves safe mode by itself, admits no DataNode, so no"
                    + " bytes of files can be read, and asks nothing of the cluster, which need not exist any more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was served until its NameNode was stopped",
            "1:the namespace cannot be had or served; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive mount --dir s3a://backup/hdfs --work /data/1/tmp --at 2026-11-28T12:00:03Z --port 9900",
            "  hdfs dfs -ls hdfs://localhost:9900/logs"
        })
final class MountCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Mixin
    private final InstantOptions instant;

    @Mixin
    private final WorkDirectoryOptions work = new WorkDirectoryOptions();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "The address of this host to listen at. Default: ${DEFAULT-VALUE}, for processes of this host only.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The port for clients. Default: any free one, which is printed.")
    private int port;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The port of the web page. Default: any free one, which is printed.")
    private int httpPort;

    @Spec
    private CommandSpec command;

    private final Installation installation;

    MountCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        InetSocketAddress rpc = address("--port", port);
        InetSocketAddress http = address("--http-port", httpPort);
        ArchiveReader reader = archive.openReader(options.find().journal());
        NamespaceRecipe recipe = instant.choose(reader.contents(), archive);
        return FetchedNamespace.withFetched(reader, recipe, work.directory(), options.progress(), directory -> {
            try (ServedNamespace served = installation.serve(directory, rpc, http)) {
                print(recipe, served);
                served.join();
            }
            return ExitCode.FINE;
        });
    }

    private InetSocketAddress address(String option, int number) {
        if (number < 0 || number > 0xffff) {
            throw new ParameterException(command.commandLine(), option + " is a port from 0 to 65535; got " + number);
        }
        InetSocketAddress address = new InetSocketAddress(host, number);
        if (address.isUnresolved()) {
            throw new ParameterException(
                    command.commandLine(), "--host is an address of this host; cannot resolve " + host);
        }
        return address;
    }

    private void print(NamespaceRecipe recipe, ServedNamespace served) {
        options.print(
                () -> json(recipe, served),
                () -> "The namespace after transaction " + recipe.target().txId() + " is at " + served.uri()
                        + " and " + served.webAddress() + " until this command ends\n"
                        + instant.text(recipe));
    }

    private Map<String, Object> json(NamespaceRecipe recipe, ServedNamespace served) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        instant.addTo(object, recipe);
        object.put("uri", served.uri());
        object.put("webAddress", served.webAddress());
        return object;
    }
}
