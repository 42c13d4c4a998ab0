/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** Checks the directories of journal and images, and how long the journal's disk takes to sync: every change waits for that. */
final class DiskCheck implements Check {
    private static final int SYNCS = 50;
    private static final int BLOCK = 4096;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SLOW_NANOS = 20 * NANOS_PER_MILLI;
    private static final long MIN_FREE_BYTES = 2L << 30;

    private final LongSupplier nanoTime;

    DiskCheck(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return "disks";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        Path journal = Paths.get(plan.journalDirectory());
        if (isUsable(journal, "trefoil.journal.dir", findings)) {
            try {
                findings.add(checkSpace(journal));
                findings.add(checkSyncTime(journal));
            } catch (IOException e) {
                findings.add(PreflightFinding.problem(
                        journal + " cannot be written: " + e.getMessage(), "repair or replace the disk"));
            }
        }
        plan.nameDirectories().forEach(directory -> isUsable(Paths.get(directory), "dfs.namenode.name.dir", findings));
        return findings;
    }

    private static boolean isUsable(Path directory, String property, List<PreflightFinding> findings) {
        String user = System.getProperty("user.name");
        if (!Files.isDirectory(directory)) {
            findings.add(PreflightFinding.problem(
                    directory + " (" + property + ") is not a directory",
                    "install -d -o hdfs -g hadoop -m 700 " + directory));
        } else if (!Files.isWritable(directory)) {
            findings.add(PreflightFinding.problem(
                    directory + " (" + property + ") is not writable for " + user,
                    "run this as the user of the NameNode, or chown -R hdfs:hadoop " + directory));
        } else {
            findings.add(PreflightFinding.ok(directory + " is there"));
            return true;
        }
        return false;
    }

    private static PreflightFinding checkSpace(Path directory) throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        String text = directory + " has " + (free >> 20) + " MiB left";
        return free < MIN_FREE_BYTES
                ? PreflightFinding.problem(text, "make room for the edits: 2 GiB at least")
                : PreflightFinding.ok(text);
    }

    private PreflightFinding checkSyncTime(Path directory) throws IOException {
        long[] took = new long[SYNCS];
        Path file = Files.createTempFile(directory, "preflight", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < SYNCS; i++) {
                long before = nanoTime.getAsLong();
                channel.write(ByteBuffer.allocate(BLOCK));
                channel.force(false);
                took[i] = nanoTime.getAsLong() - before;
            }
        } finally {
            Files.deleteIfExists(file);
        }
        Arrays.sort(took);
        long median = took[SYNCS / 2];
        String text = String.format(
                "%s syncs in %.1f ms, at most in %.1f ms",
                directory, median / (double) NANOS_PER_MILLI, took[SYNCS - 1] / (double) NANOS_PER_MILLI);
        return median > SLOW_NANOS
                ? PreflightFinding.problem(
                        text, "put the journal on a faster disk: every change waits for two of these syncs")
                : PreflightFinding.ok(text);
    }
}
