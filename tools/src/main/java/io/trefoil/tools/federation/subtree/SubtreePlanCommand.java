/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.balance.BalancePlan;
import io.trefoil.federation.balance.PlanLimits;
import io.trefoil.federation.balance.PlannedMove;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.RouterUpdater;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.progress.ProgressReporter;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.federation.load.LoadSurvey;
import io.trefoil.tools.federation.table.TableOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil subtree plan}: suggests which subtrees to move. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Says which subtrees to move so that no nameservice has too much to do, and what that is expected to bring. Changes nothing,"
                    + " unless --execute is given.",
            "The pressure on a nameservice is the largest of its shares of operations, inodes and blocks, in percent of a fair share. Of"
                    + " the subtrees with the most calls, the table's entries and those that are named here, few and small ones are"
                    + " chosen, and only what hdfs trefoil subtree move --dry-run has nothing against.",
            "A new nameservice takes part as soon as its NameNode counts calls, as for hdfs trefoil subtree load.",
            "With --router, the commands that are shown have Routers follow, and so have the moves of --execute: after each, as soon as the"
                    + " new owner is open. That needs the superuser of the Routers as well."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the plan is shown, also if it is empty; with --execute, it was carried out",
            "1:there can be no plan now, a move failed, or a Router does not follow; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no Router answers; nothing was changed"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil subtree plan",
            "  hdfs trefoil subtree plan --to ns3 --moves 2",
            "  hdfs trefoil subtree plan /archive --execute",
            "  hdfs trefoil subtree plan --execute --router router1:8111 --router router2:8111"
        })
public final class SubtreePlanCommand implements Callable<Integer> {

    private static final int THREADS = 8;

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "Consider these subtrees as well, for example large ones that are seldom used.")
    private List<String> paths = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "NAMESERVICE",
            description = "Give to this nameservice alone; may be repeated. All if not given.")
    private List<String> targets = new ArrayList<>();

    @Option(
            names = "--moves",
            paramLabel = "N",
            defaultValue = "5",
            description = "Moves at most; ${DEFAULT-VALUE} if not given.")
    private int most;

    @Option(
            names = "--candidates",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "How many subtrees of each nameservice are considered for their calls; each is measured, as by hdfs dfs -count."
                            + " ${DEFAULT-VALUE} if not given.")
    private int candidates;

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            defaultValue = "25",
            description =
                    "A nameservice gives nothing away while the pressure on it is above 100 by no more; ${DEFAULT-VALUE} if not"
                            + " given.")
    private int tolerance;

    @Option(
            names = "--gain",
            paramLabel = "PERCENT",
            defaultValue = "10",
            description = "By how much each move must lower the pressure, at least 1; ${DEFAULT-VALUE} if not given.")
    private int gain;

    @Option(
            names = "--rest",
            paramLabel = "TIME",
            defaultValue = "24h",
            description =
                    "Leave subtrees where they are that got their owner this recently; ${DEFAULT-VALUE} if not given.")
    private String rest;

    @Option(
            names = "--execute",
            description =
                    "Carry the plan out, one move after the other, as hdfs trefoil subtree move does; ends with the first that fails.")
    private boolean execute;

    @Option(
            names = "--pause",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description =
                    "With --execute: as for hdfs trefoil subtree move, also in what it refuses; ${DEFAULT-VALUE} if not given.")
    private int pause;

    @Mixin
    private final MoveOptions moving;

    @Spec
    private CommandSpec command;

    public SubtreePlanCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
        moving = new MoveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (most < 1 || candidates < 0 || tolerance < 0 || gain < 1 || pause < 0) {
            throw new ParameterException(
                    command.commandLine(),
                    "Wanted --moves and --gain of at least 1, and --candidates, --tolerance and --pause of at least 0");
        }
        moving.check();
        Duration restTime = TimeOption.parse(command, "--rest", rest);
        List<SubtreePath> also = paths.stream().map(options::parsePath).collect(Collectors.toList());
        try (TableStore table = options.open();
                SubtreeMoves moves = Federation.of(installation).openMoves(table);
                SubtreeSize.Source sizes = Federation.of(installation).openSizes()) {
            Set<String> to = new HashSet<>(targets);
            if (!table.nameservices().containsAll(to)) {
                throw new ParameterException(
                        command.commandLine(),
                        "Wanted nameservices of the configuration, " + table.nameservices() + ", found --to "
                                + targets);
            }
            PlanLimits limits = PlanLimits.builder()
                    .moves(most)
                    .tolerance(tolerance / 100.0)
                    .gain(gain / 100.0)
                    .targets(to)
                    .build();
            LoadSurvey survey = LoadSurvey.query(installation.nameNodes(), SubtreeLoadCommand.TIMEOUT);
            requireKnown(to, survey);
            if (execute) {
                moving.checkRouters(table);
            }
            MovePlanner run = new MovePlanner(
                    table, moves, limits(), sizes, survey, Clock.systemUTC().instant());
            BalancePlan plan = run.plan(also, candidates, restTime, limits);
            PlanText text = new PlanText(plan, run, limits, options.optionsText() + moving.optionsText());
            options.print(text::json, text::text);
            if (execute) {
                carryOut(plan, table, moves);
            }
            return ExitCode.FINE;
        }
    }

    /** Checks that the load of each target is known: otherwise the plan would wrongly say that there is nothing to move. */
    private static void requireKnown(Set<String> to, LoadSurvey survey) throws TableRefusedException {
        for (String nameservice : new TreeSet<>(to)) {
            if (!survey.countedLoads().containsKey(nameservice)) {
                throw new TableRefusedException("It is not known what " + nameservice + " has to do: "
                        + survey.skippedNameservices().getOrDefault(nameservice, "it is not asked"));
            }
        }
    }

    private CommandLimits limits() {
        return new CommandLimits(Duration.ofSeconds(pause));
    }

    private void carryOut(BalancePlan plan, TableStore table, SubtreeMoves moves) throws IOException {
        int number = 0;
        for (PlannedMove move : plan.moves()) {
            number++;
            String which = "Move " + number + " of " + plan.moves().size() + ", " + move.path() + " to " + move.to();
            print(which);
            MoveRecord record = moving.applyTo(MoveRecord.newMove(
                    UUID.randomUUID().toString(),
                    move.path(),
                    move.from(),
                    move.to(),
                    table.user(),
                    Clock.systemUTC().instant()));
            try {
                moving.moveWithRouters(table, record, routes -> move(moves, record, routes));
            } catch (IOException e) {
                throw new IOException(
                        which + ", has failed; those before it are complete, none was begun after it. hdfs trefoil"
                                + " subtree status says whether it has to be completed or aborted. " + e.getMessage(),
                        e);
            }
        }
        print(number == 0 ? "Nothing was moved" : "All moves of the plan are complete");
    }

    private MoveRecord move(SubtreeMoves moves, MoveRecord record, RouterUpdater routes) throws IOException {
        SubtreeMover begun = moves.connect(record, limits(), THREADS, this::print);
        try (ProgressReporter ignored = begun.startReports(CommandLimits.REPORTED)) {
            return begun.run(SourceCleanup.DELETE_SOURCE, routes);
        }
    }

    private void print(String line) {
        command.commandLine().getErr().println(line);
    }
}
