/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.federation.load.LoadSurvey;
import io.trefoil.tools.federation.load.NameserviceLoad;
import io.trefoil.tools.federation.load.SubtreeCallCount;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Json;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil subtree load}: shows which subtrees get the calls. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Shows how many calls the active NameNode of each nameservice has executed in the last ten minutes, and in which subtrees."
                    + " A call counts for each directory above its path, down to a depth.",
            "NameNodes count if io.trefoil.federation.hdfs.load.SubtreeLoadLogger is in their dfs.namenode.audit.loggers."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown",
            "1:it is not known of some nameservices, or a subtree's size could not be read",
            "2:the command line or the configuration is wrong",
            "3:no active NameNode says it"
        },
        footer = {"", "Examples:", "  hdfs trefoil subtree load", "  hdfs trefoil subtree load --top 3 --sizes"})
public final class SubtreeLoadCommand implements Callable<Integer> {

    /** The time that a NameNode may take for a page. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Installation installation;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "10",
            description = "Subtrees of each nameservice, the heaviest; ${DEFAULT-VALUE} if not given.")
    private int top;

    @Option(
            names = "--sizes",
            description =
                    "Show inodes and blocks of these subtrees as well. Each NameNode goes through them, as for hdfs dfs -count.")
    private boolean withSizes;

    @Option(names = "--json", description = "Print JSON instead of text.")
    private boolean json;

    @Spec
    private CommandSpec command;

    public SubtreeLoadCommand(Installation installation) {
        this.installation = installation;
    }

    @Override
    public Integer call() throws IOException {
        if (top < 1) {
            throw new ParameterException(command.commandLine(), "Wanted --top of at least 1");
        }
        LoadSurvey survey = LoadSurvey.query(installation.nameNodes(), TIMEOUT);
        if (survey.countedLoads().isEmpty()) {
            throw new NoAnswerException("Nothing is known of any nameservice: " + survey.skippedNameservices());
        }
        LoadText text = new LoadText(survey, withSizes ? sizes(survey) : new TreeMap<>(), top);
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? Json.text(text.json()) : text.text());
        out.flush();
        return survey.skippedNameservices().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** The sizes of subtrees, by nameservice and path; paths that are not directories are left out. */
    private Map<String, SubtreeSize> sizes(LoadSurvey survey) throws IOException {
        Map<String, SubtreeSize> sizes = new TreeMap<>();
        try (SubtreeSize.Source source = Federation.of(installation).openSizes()) {
            for (NameserviceLoad load : survey.countedLoads().values()) {
                for (SubtreeCallCount subtree :
                        load.subtrees().subList(0, Math.min(top, load.subtrees().size()))) {
                    Optional<SubtreePath> path = MovePlanner.tryParsePath(subtree.path());
                    if (path.isPresent()) {
                        source.of(load.nameservice(), path.get())
                                .ifPresent(size -> sizes.put(load.nameservice() + subtree.path(), size));
                    }
                }
            }
        }
        return sizes;
    }
}
