/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rename of one directory. The new name is a new directory, its <em>successor</em>, which is made beside the old name's copy
 * in the home of the new one. There it waits, without contents, until one rename of it
 *
 * <ol>
 *   <li>to the new name decides: HDFS lets it have its name only if nobody else has it, and both directories above can be
 *       reached by their paths;
 *   <li>or into the <em>station</em> undoes the rename.
 * </ol>
 *
 * <p>Each group has a station, a directory of this rename alone, where nobody else's operation can take anything along. The
 * parts of the directory are moved there before the decision, and out again after it: to the new place, or back. Who finds the
 * rename written down, in the old name or in the successor, does so by the numbers of what is moved. Immutable.
 */
@AutoValue
abstract class Rename {

    private static final int RADIX = 36;

    /** The record in the successor by which its finder knows the rename. Immutable. */
    @AutoValue
    abstract static class ArrivalRecord {

        static ArrivalRecord of(String operation, int group, long directory) {
            return new AutoValue_Rename_ArrivalRecord(operation, group, directory);
        }

        static ArrivalRecord parse(String name) {
            String[] texts = HashedLayout.textOfArrival(name).split("\\.");
            return of(texts[0], (int) number(texts[1]), number(texts[2]));
        }

        abstract String operation();

        /** The home of the old name. */
        abstract int group();

        /** The old name's number. */
        abstract long directory();

        /** The name of its directory in the successor. */
        final String name() {
            return HashedLayout.arrival(operation() + "." + text(group()) + "." + text(directory()));
        }
    }

    /** The parts of a rename, one by one. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder digest(String digest);

        abstract Builder operation(String operation);

        abstract Builder group(int group);

        abstract Builder successor(long successor);

        abstract Builder waiting(long waiting);

        abstract Builder parts(List<Long> parts);

        abstract Rename build();
    }

    static Builder builder() {
        return new AutoValue_Rename.Builder();
    }

    static Rename parse(String name) {
        String[] texts = HashedLayout.textOfRename(name).split("\\.");
        List<Long> parts = new ArrayList<>();
        for (String one : Arrays.asList(texts).subList(5, texts.length)) {
            parts.add(number(one));
        }
        return builder()
                .digest(texts[0])
                .operation(texts[1])
                .group((int) number(texts[2]))
                .successor(number(texts[3]))
                .waiting(number(texts[4]))
                .parts(Collections.unmodifiableList(parts))
                .build();
    }

    /** The digest of the old path, which may be another one since, as a directory above may have another name. */
    abstract String digest();

    /** Unique, of letters, digits and hyphens. */
    abstract String operation();

    /** The home of the new name. */
    abstract int group();

    /** The number of the new name. */
    abstract long successor();

    /** The number of the directory in which the successor waits: that group's part of the directory above the old name. */
    abstract long waiting();

    /** The numbers of the directory's parts, by group. */
    abstract List<Long> parts();

    final boolean isFor(String path) {
        return digest().equals(HashedLayout.digest(path));
    }

    /** The path of the successor until the decision. */
    final String waitingSuccessor() {
        return HashedLayout.byId(waiting(), HashedLayout.successor(operation()));
    }

    /** The name of its directory in the old name. */
    final String name() {
        return HashedLayout.rename(asText());
    }

    /** The name of the same directory when the rename is undone. */
    final String undoneName() {
        return HashedLayout.undone(asText());
    }

    private String asText() {
        StringBuilder all = new StringBuilder(
                digest() + "." + operation() + "." + text(group()) + "." + text(successor()) + "." + text(waiting()));
        parts().forEach(one -> all.append('.').append(text(one)));
        return all.toString();
    }

    private static String text(long number) {
        return Long.toString(number, RADIX);
    }

    private static long number(String text) {
        return Long.parseLong(text, RADIX);
    }
}
