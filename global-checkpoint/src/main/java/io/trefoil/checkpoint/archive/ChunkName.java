/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an object with a part of the log. It begins with the incarnation of the journal and the run of the writer,
 * so that no two writers ever write one name. Immutable.
 */
@AutoValue
public abstract class ChunkName {

    /** The directory of all parts of logs. */
    public static final String DIRECTORY = "log";

    private static final Pattern PATH =
            Pattern.compile(DIRECTORY + "/([0-9]{1,19}-[0-9a-f]{16})/([0-9a-f]{16})/([0-9]{19})-([0-9]{19})");

    /** @throws IllegalArgumentException if it would name nothing */
    public static ChunkName of(Incarnation incarnation, String run, long firstSn, long lastSn) {
        if (!run.matches("[0-9a-f]{16}") || firstSn < 1 || lastSn < firstSn) {
            throw new IllegalArgumentException(
                    "Wanted a run of 16 hexadecimal digits and entries, found " + run + " " + firstSn + " " + lastSn);
        }
        return new AutoValue_ChunkName(incarnation, run, firstSn, lastSn);
    }

    /** Parses the path of a chunk below the archive's directory; empty if it is not one, but for example the unfinished file of a crash. */
    public static Optional<ChunkName> parse(String path) {
        Matcher words = PATH.matcher(path);
        return words.matches()
                ? Optional.of(of(
                        Incarnation.parse(words.group(1)),
                        words.group(2),
                        Long.parseLong(words.group(3)),
                        Long.parseLong(words.group(4))))
                : Optional.<ChunkName>empty();
    }

    public abstract Incarnation incarnation();

    /** The random number that the writer drew when it began. */
    public abstract String run();

    public abstract long firstSn();

    public abstract long lastSn();

    /** The path below the archive's directory. */
    public final String path() {
        return directory(incarnation()) + "/" + run() + "/" + String.format("%019d-%019d", firstSn(), lastSn());
    }

    /** The directory of all chunks of an incarnation. */
    public static String directory(Incarnation incarnation) {
        return DIRECTORY + "/" + incarnation;
    }

    @Override
    public final String toString() {
        return path();
    }
}
