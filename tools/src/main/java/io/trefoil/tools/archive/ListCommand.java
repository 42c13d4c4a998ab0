/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkSequence;
import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.VoidPoint;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil archive list}: shows the contents of an archive. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Lists what the archive of a journal has: edits without gaps, by time and transaction; the images from which a namespace can"
                    + " begin; the barriers of checkpoints; and where a restore or a rollback made transactions void.",
            "Reads the archive only; the cluster need not exist any more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there are edits without gaps, and an image",
            "1:there is a gap, no image or something damaged; or the archive cannot be read",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil archive list --dir s3a://backup/hdfs"})
final class ListCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    ListCommand(Installation installation) {
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        ArchiveReader reader = archive.openReader(options.find().journal());
        ArchiveContents contents = reader.contents();
        List<String> findings = findings(contents, reader);
        List<Manifest> checkpoints = new ArrayList<>();
        for (Barrier barrier : contents.barriers()) {
            try {
                checkpoints.add(Manifests.of(barrier));
            } catch (IOException e) {
                findings.add(e.getMessage());
            }
        }
        options.print(() -> json(contents, checkpoints, findings), () -> text(contents, checkpoints, findings));
        return findings.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static List<String> findings(ArchiveContents contents, ArchiveReader reader) {
        List<String> findings = new ArrayList<>();
        contents.sequencesByIncarnation().forEach((incarnation, stretches) -> {
            for (int i = 1; i < stretches.size(); i++) {
                findings.add("gap: entries " + (stretches.get(i - 1).after().sn() + 1) + " to "
                        + stretches.get(i).before().sn() + " of incarnation " + incarnation
                        + " are missing, between " + ArchiveOptions.text(lastMark(stretches.get(i - 1))) + " and "
                        + ArchiveOptions.text(stretches.get(i).marks().get(0)));
            }
        });
        if (contents.sequencesByIncarnation().isEmpty()) {
            findings.add("there are no edits yet");
        }
        if (contents.images().isEmpty()) {
            findings.add("there is no image yet, from which a namespace could begin");
        } else if (!contents.sequencesByIncarnation().isEmpty()
                && !hasImage(contents, contents.sequencesByIncarnation().lastKey())) {
            findings.add("there is no image yet of incarnation "
                    + contents.sequencesByIncarnation().lastKey() + ", the newest, from which a namespace could begin");
        }
        reader.damagedObjects().forEach(one -> findings.add("damaged: " + one));
        return findings;
    }

    private static boolean hasImage(ArchiveContents contents, Incarnation incarnation) {
        return contents.images().stream().anyMatch(image -> image.incarnation().equals(incarnation));
    }

    private static CommitMark lastMark(ChunkSequence stretch) {
        return stretch.marks().get(stretch.marks().size() - 1);
    }

    private static String text(ArchiveContents contents, List<Manifest> checkpoints, List<String> findings) {
        Table edits = new Table("INCARNATION", "FIRST-TXID", "LAST-TXID", "FROM", "TO");
        StringBuilder voids = new StringBuilder();
        for (Map.Entry<Incarnation, List<ChunkSequence>> line :
                contents.sequencesByIncarnation().entrySet()) {
            for (ChunkSequence stretch : line.getValue()) {
                edits.row(
                        line.getKey().toString(),
                        Long.toString(stretch.before().lastTxId() + 1),
                        Long.toString(stretch.after().lastTxId()),
                        time(stretch.marks().get(0).millis()),
                        time(lastMark(stretch).millis()));
                for (VoidPoint point : stretch.voids()) {
                    voids.append("Transactions from ")
                            .append(point.fromTxId())
                            .append(" on became void at entry ")
                            .append(point.sn())
                            .append("; a time before that shows them\n");
                }
            }
        }
        Table images = new Table("IMAGE-TXID", "BYTES", "MD5", "WRITTEN");
        for (ArchivedImage image : contents.images()) {
            images.row(
                    Long.toString(image.txId()),
                    Long.toString(image.id().length()),
                    image.id().md5(),
                    time(image.millis()));
        }
        StringBuilder text = new StringBuilder();
        findings.forEach(one -> text.append(one).append('\n'));
        text.append(edits).append(voids).append('\n').append(images);
        if (!checkpoints.isEmpty()) {
            Table table = new Table("CHECKPOINT", "LAST-TXID", "TIME", "NAMESERVICES");
            for (Manifest one : checkpoints) {
                table.row(
                        one.agreement().id().toString(),
                        Long.toString(one.cut().txId()),
                        time(one.agreement().timeMillis()),
                        String.join(", ", one.agreement().nameservices()));
            }
            text.append('\n').append(table);
        }
        return text.toString();
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static Map<String, Object> json(
            ArchiveContents contents, List<Manifest> checkpoints, List<String> findings) {
        List<Object> edits = new ArrayList<>();
        contents.sequencesByIncarnation()
                .forEach((incarnation, stretches) -> stretches.forEach(stretch -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("incarnation", incarnation.toString());
                    object.put("firstTxId", stretch.before().lastTxId() + 1);
                    object.put("lastTxId", stretch.after().lastTxId());
                    object.put("fromMillis", stretch.marks().get(0).millis());
                    object.put("toMillis", lastMark(stretch).millis());
                    List<Object> voids = new ArrayList<>();
                    stretch.voids().forEach(point -> voids.add(point.fromTxId()));
                    object.put("voidFrom", voids);
                    edits.add(object);
                }));
        List<Object> images = new ArrayList<>();
        contents.images().forEach(image -> {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("txId", image.txId());
            object.put("bytes", image.id().length());
            object.put("md5", image.id().md5());
            object.put("millis", image.millis());
            images.add(object);
        });
        List<Object> barriers = new ArrayList<>();
        checkpoints.forEach(one -> {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("id", one.agreement().id().toString());
            object.put("lastTxId", one.cut().txId());
            object.put("millis", one.agreement().timeMillis());
            object.put("nameservices", new ArrayList<Object>(one.agreement().nameservices()));
            barriers.add(object);
        });
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("edits", edits);
        all.put("images", images);
        all.put("checkpoints", barriers);
        all.put("findings", new ArrayList<Object>(findings));
        return all;
    }
}
