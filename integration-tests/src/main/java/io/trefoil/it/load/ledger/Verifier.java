/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Compares a ledger with the file system: everything acknowledged must exist, and nothing else. */
public final class Verifier {
    private final FileSystem fileSystem;

    public Verifier(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /**
     * Lists everything below the root of the load, reads every file with content and compares. The load must have ended.
     *
     * @throws IOException if the file system cannot be read
     */
    public LedgerFindings verify(String root, ChangeLedger ledger) throws IOException {
        Map<String, ExpectedEntry> expectations = Expectations.of(ledger).byPath();
        Map<String, FileStatus> present = list(root);
        LedgerFindings.Collector findings = new LedgerFindings.Collector();
        for (Map.Entry<String, ExpectedEntry> expectation : expectations.entrySet()) {
            Optional<FileStatus> status = Optional.ofNullable(present.get(expectation.getKey()));
            check(expectation.getKey(), expectation.getValue(), status, findings);
        }
        present.keySet().stream()
                .filter(path -> !expectations.containsKey(path))
                .forEach(path -> findings.addError(path + " is there, but no client ever created it"));
        return findings.toFindings();
    }

    private void check(
            String path, ExpectedEntry expected, Optional<FileStatus> found, LedgerFindings.Collector findings)
            throws IOException {
        switch (expected.kind()) {
            case UNCERTAIN -> findings.addUncertain();
            case ABSENT -> findings.check(found.isEmpty(), path + " is there, though its removal was acknowledged");
            case DIRECTORY ->
                findings.check(
                        found.map(FileStatus::isDirectory).orElse(false),
                        path + " is missing, a directory was acknowledged");
            case FILE -> checkFile(path, expected.file().orElseThrow(), found, findings);
        }
    }

    private void checkFile(
            String path, FileContent content, Optional<FileStatus> found, LedgerFindings.Collector findings)
            throws IOException {
        if (!found.map(FileStatus::isFile).orElse(false)) {
            findings.addError(path + " is missing, a file was acknowledged");
            return;
        }
        long length = found.orElseThrow().getLen();
        if (length != content.length()) {
            findings.addError(path + " has " + length + " bytes, " + content.length() + " were acknowledged");
            return;
        }
        if (length == 0) {
            findings.addCorrect();
            return;
        }
        try (InputStream in = fileSystem.open(new Path(path))) {
            findings.check(
                    FileContent.checksumOf(in) == content.checksum(), path + " has other bytes than were written");
            findings.addBytesRead(length);
        }
    }

    /**
     * Whether a directory may have children. HDFS reports their number; most directories of a load are empty, and skipping
     * those saves minutes.
     */
    private static boolean mayHoldMore(FileStatus status) {
        return status.isDirectory() && !(status instanceof HdfsFileStatus inHdfs && inHdfs.getChildrenNum() == 0);
    }

    private Map<String, FileStatus> list(String root) throws IOException {
        Map<String, FileStatus> present = new HashMap<>();
        Deque<Path> open = new ArrayDeque<>();
        open.add(new Path(root));
        while (!open.isEmpty()) {
            for (FileStatus status : fileSystem.listStatus(open.remove())) {
                present.put(status.getPath().toUri().getPath(), status);
                if (mayHoldMore(status)) {
                    open.add(status.getPath());
                }
            }
        }
        return present;
    }
}
