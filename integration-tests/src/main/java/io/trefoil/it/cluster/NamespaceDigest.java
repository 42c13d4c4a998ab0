/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.server.ImageRecords;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.StockNameDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;

/**
 * A checksum over a NameNode's whole namespace: files, directories, blocks, permissions, quotas, snapshots, leases.
 * NameNodes that applied the same edits have the same checksum.
 *
 * <p>It is computed from an image that the NameNode saves, as the stock image viewer prints it; {@link ImageRecords}
 * says which records count.
 *
 * @param nameNode whose namespace it is
 * @param sha256 the checksum, in hex
 * @param lines a file of the records in it, sorted, one per line; if two digests differ, compare these files
 */
public record NamespaceDigest(String nameNode, String sha256, Path lines) {
    private static final List<String> COUNTERS = List.of(
            "NameSection<genstampV1>",
            "NameSection<genstampV2>",
            "NameSection<lastAllocatedBlockId>",
            "NameSection<lastAllocatedStripedBlockId>",
            "INodeSection<lastInodeId>");
    private static final List<String> MASTER_KEYS = List.of(
            "SecretManagerSection<currentId>",
            "SecretManagerSection<numDelegationKeys>",
            "SecretManagerSection<delegationKey>");

    /**
     * Makes the NameNode save its namespace, whatever its role, and computes the checksum. Costs a short safe mode and
     * an image; for small namespaces.
     *
     * @throws UncheckedIOException if the NameNode refuses to save
     */
    public static NamespaceDigest of(NameNodeServer nameNode) {
        try {
            nameNode.saveNamespace();
            Path image = nameNode.newestImage();
            Path xml = nameNode.dataDirectory().resolve("image.xml");
            print(image, xml);
            List<String> records = ImageRecords.readSorted(xml);
            Path lines = nameNode.dataDirectory().resolve("image.lines");
            Files.write(lines, records);
            return new NamespaceDigest(nameNode.name(), sha256(records), lines);
        } catch (IOException | XMLStreamException e) {
            throw new IllegalStateException("no digest of the namespace of " + nameNode, e);
        }
    }

    /**
     * Returns the checksum of an earlier state: stock classes load an image and the edits that stock HDFS wrote into the
     * NameNode's own directory, up to a transaction, and save the result. Neither the journal nor any other code of ours
     * takes part.
     *
     * @param txId the end of a segment; the NameNode was active from an image in its directory up to there
     */
    public static NamespaceDigest ofTransaction(NameNodeServer nameNode, long txId) {
        Path scratch = nameNode.dataDirectory().resolve("at-" + txId);
        try {
            StockNameDirectory.copy(nameNode.imageDirectory(), scratch.resolve("current"), txId);
        } catch (IOException e) {
            throw new IllegalStateException("no digest of " + nameNode + " at " + txId, e);
        }
        return ofDirectory(scratch, nameNode.name() + " at " + txId);
    }

    /** Returns the checksum of a namespace that stock classes load from a name directory not used by any NameNode, and save there. */
    public static NamespaceDigest ofDirectory(Path nameDirectory, String name) {
        Path xml = nameDirectory.resolve("image.xml");
        try {
            print(StockNameDirectory.save(nameDirectory), xml);
            List<String> records = ImageRecords.readSorted(xml);
            Path lines = nameDirectory.resolve("image.lines");
            Files.write(lines, records);
            return new NamespaceDigest(name, sha256(records), lines);
        } catch (IOException | XMLStreamException e) {
            throw new IllegalStateException("no digest of " + name, e);
        }
    }

    /**
     * Returns the checksum that all NameNodes of a cluster share once the standbys have caught up; must be called without a load. Fails
     * with the first differing records if they do not agree.
     */
    public static NamespaceDigest ofAll(HaCluster cluster, Duration limit) {
        cluster.awaitStandbysCaughtUp(limit);
        List<NamespaceDigest> digests =
                cluster.nameNodes().stream().map(NamespaceDigest::of).toList();
        NamespaceDigest first = digests.get(0);
        digests.forEach(digest -> digest.expectSameExceptMasterKeys(first));
        return first;
    }

    /** Fails with the first differing records unless the other namespace is the same. */
    public void expectSameAs(NamespaceDigest other) {
        if (sha256.equals(other.sha256)) {
            return;
        }
        try {
            assertSame(Files.readAllLines(other.lines), Files.readAllLines(lines), other);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Like {@link #expectSameAs}, except for the counters of a namespace: after a restore, they continue from higher numbers, so that no
     * number is assigned twice. The master keys may differ as well.
     */
    public void expectSameExceptCounters(NamespaceDigest other) {
        expectSameExcept(
                other, Stream.concat(COUNTERS.stream(), MASTER_KEYS.stream()).toList());
    }

    /**
     * Like {@link #expectSameExceptCounters}, except for the master keys of delegation tokens: with Kerberos, a NameNode makes new ones
     * when it becomes active, and when it leaves the safe mode in which it saved its namespace.
     */
    public void expectSameExceptMasterKeys(NamespaceDigest other) {
        expectSameExcept(other, MASTER_KEYS);
    }

    private void expectSameExcept(NamespaceDigest other, List<String> records) {
        try {
            assertSame(without(records, other.lines), without(records, lines), other);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertSame(List<String> expected, List<String> found, NamespaceDigest other) {
        if (!expected.equals(found)) {
            throw new AssertionError("the namespaces of " + nameNode + " and " + other.nameNode
                    + " differ\nonly in "
                    + nameNode + ":\n" + firstDifferences(found, expected) + "\nonly in " + other.nameNode + ":\n"
                    + firstDifferences(expected, found));
        }
    }

    private static List<String> without(List<String> records, Path lines) throws IOException {
        return Files.readAllLines(lines).stream()
                .filter(line -> records.stream().noneMatch(line::startsWith))
                .toList();
    }

    private static String firstDifferences(List<String> lines, List<String> otherLines) {
        Set<String> known = new HashSet<>(otherLines);
        return String.join(
                "\n",
                lines.stream().filter(line -> !known.contains(line)).limit(10).toList());
    }

    private static void print(Path image, Path xml) throws IOException {
        Files.deleteIfExists(xml);
        try {
            int exitCode =
                    OfflineImageViewerPB.run(new String[] {"-p", "XML", "-i", image.toString(), "-o", xml.toString()});
            if (exitCode != 0) {
                throw new IOException("the image viewer does not understand " + image);
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the image viewer failed on " + image, e);
        }
    }

    private static String sha256(List<String> records) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String line : records) {
                digest.update(line.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) '\n');
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
