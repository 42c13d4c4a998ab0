/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.MoveBlocker.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The commands by which a subtree whose blocks cannot be linked gets another owner: Hadoop's own commands copy it, the original is set
 * aside, and the table assigns it to its new owner.
 */
final class SubtreeCopyInstructions {

    /** The options that also preserve block sizes and kinds of checksums, without which the checksums of two copies cannot be compared. */
    private static final String PRESERVED = "-prbugpcaxt";

    private final MoveRecord record;
    private final String from;
    private final String to;
    private final List<MoveBlocker> blockers;
    private final String move;
    private final List<String> changes;

    /**
     * @param move the command that moves the subtree
     * @param changes the commands that give the subtree to its new owner once it is empty at the old one
     */
    SubtreeCopyInstructions(MoveRecord record, List<MoveBlocker> blockers, String move, List<String> changes) {
        this.record = record;
        this.from = "hdfs://" + record.source() + record.path();
        this.to = "hdfs://" + record.target() + record.path();
        this.blockers = blockers;
        this.move = move;
        this.changes = changes;
    }

    /** The steps for the operator, one per line, commands indented; empty if the subtree itself does not prevent linking. */
    List<String> lines() {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        blockers.forEach(blocker -> kinds.add(blocker.kind()));
        kinds.remove(Kind.CIRCUMSTANCE);
        kinds.remove(Kind.REPLICAS);
        List<String> lines = new ArrayList<>();
        if (kinds.isEmpty()) {
            return lines;
        }
        String when = "when there are no more reads and writes there, and " + to + " does not exist:";
        if (kinds.equals(EnumSet.of(Kind.SNAPSHOTS))) {
            lines.add("Snapshots do not go along. Delete them, and move the subtree:");
            addIndented(lines, commandsFor(Kind.SNAPSHOTS, this::snapshotDeletions));
            addIndented(lines, move);
            lines.add("or copy what is there now, " + when);
        } else {
            lines.add("Links are not possible. The files can be copied, " + when);
        }
        addIndented(lines, commandsFor(Kind.ERASURE_CODING, this::erasureCodingCommands));
        addIndented(lines, commandsFor(Kind.ENCRYPTION, this::encryptionZoneCommands));
        addIndented(lines, "hadoop distcp " + distcpOptions(kinds) + " " + from + " " + to);
        // HDFS renames no directory that has snapshots in it.
        addIndented(lines, commandsFor(Kind.SNAPSHOTS, this::snapshotDeletions));
        addIndented(lines, "hdfs dfs -mv " + from + " " + from + ".old");
        addIndented(lines, changes);
        if (kinds.equals(EnumSet.of(Kind.UNLINKABLE))) {
            // It preserves no erasure coding, compares checksums of what is encrypted, and needs a snapshot of its own.
            lines.add("or, while clients go on until the last changes, which puts the original into the trash:");
            // Its own default for what it has to remember is a NameNode of this host.
            addIndented(
                    lines,
                    "hadoop fedbalance -D hdfs.fedbalance.procedure.scheduler.journal.uri=hdfs://" + record.source()
                            + "/tmp/fedbalance submit " + from + " " + to);
            addIndented(lines, changes);
        }
        return lines;
    }

    /** The options of {@code distcp}: in two zones the same bytes have different checksums, and only an update may do without them. */
    private static String distcpOptions(Set<Kind> kinds) {
        String preserved = PRESERVED + (kinds.contains(Kind.ERASURE_CODING) ? "e" : "");
        return kinds.contains(Kind.ENCRYPTION) ? "-update -updateRoot -skipcrccheck " + preserved : preserved;
    }

    private Set<String> commandsFor(Kind kind, Function<MoveBlocker, List<String>> neededCommands) {
        Set<String> commands = new LinkedHashSet<>();
        blockers.stream()
                .filter(blocker -> blocker.kind() == kind)
                .forEach(blocker -> commands.addAll(neededCommands.apply(blocker)));
        return commands;
    }

    private List<String> snapshotDeletions(MoveBlocker snapshots) {
        List<String> commands = new ArrayList<>();
        for (String name : snapshots.names()) {
            commands.add("hdfs dfs -deleteSnapshot hdfs://" + record.source() + snapshots.subject() + " " + name);
        }
        commands.add("hdfs dfsadmin -fs hdfs://" + record.source() + " -disallowSnapshot " + snapshots.subject());
        return commands;
    }

    private List<String> erasureCodingCommands(MoveBlocker coded) {
        return Collections.singletonList(
                "hdfs ec -fs hdfs://" + record.target() + " -enablePolicy -policy " + coded.subject());
    }

    /** The commands that create zones at the target, without which files would be decrypted there. */
    private List<String> encryptionZoneCommands(MoveBlocker encrypted) {
        List<String> commands = new ArrayList<>();
        for (String key : encrypted.names()) {
            commands.add("hdfs dfs -mkdir -p hdfs://" + record.target() + encrypted.subject());
            commands.add("hdfs crypto -fs hdfs://" + record.target() + " -createZone -keyName " + key + " -path "
                    + encrypted.subject());
        }
        return commands;
    }

    private static void addIndented(List<String> lines, Collection<String> commands) {
        commands.forEach(command -> addIndented(lines, command));
    }

    private static void addIndented(List<String> lines, String command) {
        lines.add("  " + command);
    }
}
