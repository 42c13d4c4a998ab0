/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.RouterUpdater;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.progress.ProgressReporter;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.federation.table.TableOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** {@code trefoil subtree move}: moves a subtree with everything in it to another nameservice. */
@Command(
        name = "move",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Moves a subtree to another nameservice. Files and directories are made there while clients work, blocks are"
                    + " linked on their DataNodes instead of copied; then clients wait for a moment, the last changes"
                    + " follow, and the table gets a version with the new owner. If it was interrupted, run it again.",
            "Clients wait if the NameNodes of the old owner have trefoil.federation.gate; otherwise they are refused"
                    + " meanwhile. --dry-run says which.",
            "Every few seconds it prints how far it is. If blocks cannot be linked, because of erasure coding,"
                    + " encryption zones or snapshots, it is refused before anything changes, with the commands that copy"
                    + " the files instead.",
            "With --router, Routers follow as soon as the new owner is open, as by hdfs trefoil table mirror.",
            "Needs the superuser of both nameservices, with --router that of the Routers as well, and the plugin that"
                    + " links blocks on all DataNodes."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was moved; with --dry-run, it can be",
            "1:refused, or it could not be done, or it was moved and a Router does not follow; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no Router answers; nothing was changed"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil subtree move /warehouse/logs --to ns2 --dry-run",
            "  hdfs trefoil subtree move /warehouse/logs --to ns2 --router router1:8111 --router router2:8111",
            "  hdfs trefoil subtree move /warehouse/logs --to ns2 --keep-source"
        })
public final class SubtreeMoveCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    @Parameters(index = "0", paramLabel = "PATH", description = "The subtree, as /warehouse/logs.")
    private String path;

    @Option(names = "--to", paramLabel = "NAMESERVICE", required = true, description = "Its new owner.")
    private String target;

    @Option(names = "--dry-run", description = "Make all checks, show what would be moved, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--keep-source",
            description = "Leave the files at the old owner when the table has the new one, closed to clients; the same"
                    + " command without this option deletes them. The move cannot be aborted any more.")
    private boolean keepSource;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "8",
            description = "Files copied at a time; ${DEFAULT-VALUE} if not given.")
    private int threads;

    @Option(
            names = "--pause",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long clients wait, or are refused, in each of up to three pauses, while others close the"
                    + " files that they have open; ${DEFAULT-VALUE} if not given. Where clients wait, more than 20"
                    + " is refused: a freeze ends after 30 s, in which the last changes have to follow as well.")
    private int pause;

    @Mixin
    private final MoveOptions moving;

    @Spec
    private CommandSpec command;

    public SubtreeMoveCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
        moving = new MoveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (threads < 1 || pause < 0) {
            throw new ParameterException(
                    command.commandLine(), "Wanted --threads of at least 1, and --pause of at least 0");
        }
        moving.check();
        SubtreePath subtree = options.parsePath(path);
        try (TableStore table = options.open();
                SubtreeMoves moves = Federation.of(installation).openMoves(table)) {
            MoveRecord record = moving.applyTo(record(table, moves, subtree));
            return moving.moveWithRouters(table, record, routes -> move(moves, record, routes));
        }
    }

    private int move(SubtreeMoves moves, MoveRecord record, RouterUpdater routes) throws IOException {
        SubtreeMover move =
                moves.connect(record, new CommandLimits(Duration.ofSeconds(pause)), threads, this::printProgress);
        try (ProgressReporter ignored = move.startReports(CommandLimits.REPORTED)) {
            return dryRun ? dryRun(move, record) : run(move, routes);
        }
    }

    private int run(SubtreeMover move, RouterUpdater routes) throws IOException {
        MoveRecord moved = move.run(sourceCleanup(), routes);
        String state = (keepSource ? "moved, the source is kept" : "moved")
                + MoveText.pause(moved)
                + MoveText.othersWaitText(moved);
        options.print(() -> MoveText.json(moved, state), () -> MoveText.text(moved, state));
        return ExitCode.FINE;
    }

    private SourceCleanup sourceCleanup() {
        return keepSource ? SourceCleanup.KEEP_SOURCE : SourceCleanup.DELETE_SOURCE;
    }

    private int dryRun(SubtreeMover move, MoveRecord record) throws IOException {
        SubtreeSize size = move.size();
        List<MoveBlocker> found = move.blockers(size, sourceCleanup());
        List<String> blockers = found.stream().map(MoveBlocker::text).collect(Collectors.toList());
        List<String> copying = move.copyInstructions(record, found);
        boolean clientsWait = move.canHoldClients();
        options.print(
                () -> json(record, size, clientsWait, blockers, copying),
                () -> text(record, size, clientsWait) + text(blockers, copying));
        return blockers.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** The move that has begun, or a new one. */
    private MoveRecord record(TableStore table, SubtreeMoves moves, SubtreePath subtree) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        Optional<MoveRecord> current = moves.store().current();
        if (current.isPresent()) {
            if (dryRun) {
                throw new TableRefusedException("The move of " + current.get().path() + " to "
                        + current.get().target() + " has begun and not ended; look at it: hdfs trefoil subtree status");
            }
            return current.get().requireSameMove(subtree, target, table.history());
        }
        SubtreeMover.change(table, newest, subtree, target);
        String id = UUID.randomUUID().toString();
        return MoveRecord.newMove(
                id,
                subtree,
                newest.ownerOf(subtree),
                target,
                table.user(),
                Clock.systemUTC().instant());
    }

    private void printProgress(String line) {
        command.commandLine().getErr().println(line);
    }

    private static String text(MoveRecord record, SubtreeSize size, boolean clientsWait) {
        return record.path() + " from " + record.source() + " to " + record.target() + ": " + size.files() + " files, "
                + size.directories() + " directories, " + size.bytes() + " bytes\n"
                + "The command needs about " + size.heapMegabytes() + " MB of heap.\n"
                + "Others wait about " + size.snapshotDeletionWaitMillis() + " ms at a time, while " + record.source()
                + " deletes a snapshot of it.\n"
                + (clientsWait
                        ? "Clients will wait while the owner changes.\n"
                        : "Clients will be refused while the owner changes: the active NameNode of " + record.source()
                                + " has no trefoil.federation.gate.\n");
    }

    private static String text(List<String> blockers, List<String> copying) {
        if (blockers.isEmpty()) {
            return "It can be moved; nothing was changed.\n";
        }
        List<String> lines = new ArrayList<>(blockers);
        lines.addAll(copying);
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, Object> json(
            MoveRecord record, SubtreeSize size, boolean clientsWait, List<String> blockers, List<String> copying) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", record.path().text());
        object.put("from", record.source());
        object.put("to", record.target());
        object.put("files", size.files());
        object.put("folders", size.directories());
        object.put("bytes", size.bytes());
        object.put("heapBytes", size.heapBytes());
        object.put("othersMillis", size.snapshotDeletionWaitMillis());
        object.put("clientsWait", clientsWait);
        object.put("blockers", blockers);
        object.put("copying", copying);
        return object;
    }
}
