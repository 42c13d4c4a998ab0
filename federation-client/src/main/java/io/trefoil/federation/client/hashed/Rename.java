/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rename of one directory. The new name is a new directory, its <em>successor</em>, which is made next to the old name's copy
 * in the home of the new one. There it waits, without contents, until one rename of it
 *
 * <ol>
 *   <li>to the new name decides: HDFS lets it have its name only if nothing else has it, and both directories above can be
 *       reached by their paths;
 *   <li>or into the <em>station</em> undoes the rename.
 * </ol>
 *
 * <p>Each group has a station, a directory of this rename alone, where no other operation can take anything along. The parts of
 * the directory are moved there before the decision, and out again after it: to the new place, or back. A client that finds the
 * rename written down, in the old name or in the successor, does so by the ids of what is moved. Immutable.
 */
@AutoValue
abstract class Rename {

    private static final int RADIX = 36;

    /** The record in the successor by which clients that find it recognize the rename. Immutable. */
    @AutoValue
    abstract static class ArrivalRecord {

        static ArrivalRecord of(String operation, int group, long directory) {
            return new AutoValue_Rename_ArrivalRecord(operation, group, directory);
        }

        static ArrivalRecord parse(String name) {
            String[] texts = HashedLayout.textOfArrival(name).split("\\.");
            return of(texts[0], (int) decodeNumber(texts[1]), decodeNumber(texts[2]));
        }

        abstract String operation();

        /** The home of the old name. */
        abstract int group();

        /** The inode id of the old name. */
        abstract long directory();

        /** The name of its directory in the successor. */
        final String name() {
            return HashedLayout.arrivalName(
                    operation() + "." + encodeNumber(group()) + "." + encodeNumber(directory()));
        }
    }

    /** Builds a rename from its parts. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder digest(String digest);

        abstract Builder operation(String operation);

        abstract Builder group(int group);

        abstract Builder successorId(long successorId);

        abstract Builder stagingDirectoryId(long stagingDirectoryId);

        abstract Builder partIds(List<Long> partIds);

        abstract Rename build();
    }

    static Builder builder() {
        return new AutoValue_Rename.Builder();
    }

    static Rename parse(String name) {
        String[] texts = HashedLayout.textOfRename(name).split("\\.");
        List<Long> parts = new ArrayList<>();
        for (String text : Arrays.asList(texts).subList(5, texts.length)) {
            parts.add(decodeNumber(text));
        }
        return builder()
                .digest(texts[0])
                .operation(texts[1])
                .group((int) decodeNumber(texts[2]))
                .successorId(decodeNumber(texts[3]))
                .stagingDirectoryId(decodeNumber(texts[4]))
                .partIds(Collections.unmodifiableList(parts))
                .build();
    }

    /** The digest of the old path, which may have changed since, as a directory above may have been renamed. */
    abstract String digest();

    /** A unique id of letters, digits and hyphens. */
    abstract String operation();

    /** The home of the new name. */
    abstract int group();

    /** The inode id of the new name. */
    abstract long successorId();

    /** The inode id of the directory in which the successor waits: that group's part of the old name's parent. */
    abstract long stagingDirectoryId();

    /** The inode ids of the directory's parts, by group. */
    abstract List<Long> partIds();

    final boolean isStillFor(String path) {
        return digest().equals(HashedLayout.digest(path));
    }

    /** The path of the successor until the rename is decided. */
    final String stagedSuccessorPath() {
        return HashedLayout.inodeEntryPath(stagingDirectoryId(), HashedLayout.successorName(operation()));
    }

    /** The name of its directory in the old name. */
    final String name() {
        return HashedLayout.renameName(asText());
    }

    /** The name of the same directory when the rename is undone. */
    final String undoneName() {
        return HashedLayout.undoneRenameName(asText());
    }

    private String asText() {
        StringBuilder all = new StringBuilder(digest() + "." + operation() + "." + encodeNumber(group()) + "."
                + encodeNumber(successorId()) + "." + encodeNumber(stagingDirectoryId()));
        partIds().forEach(partId -> all.append('.').append(encodeNumber(partId)));
        return all.toString();
    }

    private static String encodeNumber(long number) {
        return Long.toString(number, RADIX);
    }

    private static long decodeNumber(String text) {
        return Long.parseLong(text, RADIX);
    }
}
