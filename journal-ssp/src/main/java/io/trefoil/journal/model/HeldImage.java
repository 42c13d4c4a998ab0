/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * An image that a node holds, with what a fetching NameNode needs: the checksum of each part, and HDFS's {@code
 * VERSION} file from the directory that it was saved in. Immutable.
 */
@AutoValue
public abstract class HeldImage {

    /** The size of a part: larger ones would make a throttled node answer late; smaller ones would make the table of checksums large. */
    public static final int PART_BYTES = 1 << 20;

    public static final int CHECKSUM_BYTES = 4;

    /** Follows the text of {@code VERSION} where the image is the one that a rolling upgrade can be rolled back to. */
    private static final String ROLLBACK = "\ntrefoilImage=rollback\n";

    /**
     * @param checksums a CRC-32C, big-endian, for each part of {@link #PART_BYTES}, the last of which may be shorter
     * @throws IllegalArgumentException if there is not one checksum for each part
     */
    public static HeldImage of(ImageId id, Bytes checksums, String version) {
        long parts = countParts(id);
        if (checksums.size() != parts * CHECKSUM_BYTES) {
            throw new IllegalArgumentException(
                    "The " + id + " has " + parts + " parts, got " + checksums.size() + " bytes of checksums");
        }
        return new AutoValue_HeldImage(id, checksums, version);
    }

    private static long countParts(ImageId id) {
        return (id.length() + PART_BYTES - 1) / PART_BYTES;
    }

    public abstract ImageId id();

    public abstract Bytes checksums();

    /** The text of the {@code VERSION} file, which names the image's namespace, and for a rollback image a line of ours. */
    public abstract String version();

    /** The {@link #version} of a rollback image with this {@code VERSION}. */
    public static String markAsRollback(String version) {
        return version + ROLLBACK;
    }

    /**
     * Whether HDFS made the image at the beginning of a rolling upgrade. It is loaded only to roll that back; without its file a
     * NameNode that starts from a later image forgets the upgrade.
     */
    public final boolean isRollback() {
        return version().endsWith(ROLLBACK);
    }

    /** The text of the {@code VERSION} file, as HDFS wrote it. */
    public final String versionFile() {
        return isRollback() ? version().substring(0, version().length() - ROLLBACK.length()) : version();
    }

    /** HDFS's name for the file. */
    public final String fileName() {
        return String.format(isRollback() ? "fsimage_rollback_%019d" : "fsimage_%019d", id().txId());
    }

    public final int partCount() {
        return checksums().size() / CHECKSUM_BYTES;
    }

    /** The offset of a part in the image. */
    public final long offset(int part) {
        checkPart(part);
        return (long) part * PART_BYTES;
    }

    public final int size(int part) {
        return (int) Math.min(PART_BYTES, id().length() - offset(part));
    }

    public final int checksum(int part) {
        checkPart(part);
        int at = part * CHECKSUM_BYTES;
        int checksum = 0;
        for (int i = at; i < at + CHECKSUM_BYTES; i++) {
            checksum = (checksum << 8) | (checksums().get(i) & 0xff);
        }
        return checksum;
    }

    private void checkPart(int part) {
        if (part < 0 || part >= partCount()) {
            throw new IllegalArgumentException("The " + id() + " has " + partCount() + " parts, there is no " + part);
        }
    }

    /** Whether the image belongs to a namespace, according to its {@link #version}; false for an unknown namespace. */
    public final boolean belongsTo(NamespaceId namespace) {
        return isVersionOf(version(), namespace);
    }

    /** Whether the text of a {@code VERSION} names a namespace. */
    public static boolean isVersionOf(String version, NamespaceId namespace) {
        return namespace.isKnown()
                && findLine(version, "clusterID").equals(namespace.clusterId())
                && findLine(version, "namespaceID").equals(Integer.toString(namespace.namespaceId()));
    }

    private static String findLine(String version, String name) {
        for (String line : version.split("\n", -1)) {
            if (line.startsWith(name + "=")) {
                return line.substring(name.length() + 1).trim();
            }
        }
        return "";
    }

    @Override
    public final String toString() {
        return id().toString();
    }
}
