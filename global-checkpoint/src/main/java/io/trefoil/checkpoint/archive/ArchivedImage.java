/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An image of the namespace in the archive. Immutable. */
@AutoValue
public abstract class ArchivedImage {

    /** The directory of all images. */
    public static final String DIRECTORY = "images";

    /** The suffix of the record's name, which is written when the image is there. */
    public static final String RECORD = ".image";

    private static final Pattern PATH =
            Pattern.compile(DIRECTORY + "/[^/]+/fsimage_([0-9]{19})-[0-9a-f]{32}(\\.image)?");

    /**
     * Creates the description of an image with what is known of it.
     *
     * @param confirmedSn an entry at which the image's transactions were in force
     * @param version the text of HDFS's file {@code VERSION} beside the image
     */
    public static ArchivedImage of(Incarnation incarnation, ImageId id, long confirmedSn, long millis, String version) {
        return new AutoValue_ArchivedImage(incarnation, id, confirmedSn, millis, version);
    }

    public abstract Incarnation incarnation();

    public abstract ImageId id();

    public abstract long confirmedSn();

    /** Returns when it was written, in milliseconds since 1970. */
    public abstract long millis();

    public abstract String version();

    public final long txId() {
        return id().txId();
    }

    /** The path of HDFS's file below the archive's directory. */
    public final String path() {
        return path(incarnation(), id());
    }

    /** The path of the record below the archive's directory. */
    public final String recordPath() {
        return recordPath(incarnation(), id());
    }

    /** The path of the record that an image has or would have. */
    public static String recordPath(Incarnation incarnation, ImageId id) {
        return path(incarnation, id) + RECORD;
    }

    /** The directory of all images of an incarnation. */
    public static String directory(Incarnation incarnation) {
        return DIRECTORY + "/" + incarnation;
    }

    /** The transaction of the image to which a path below the archive's directory belongs; empty if it is something else. */
    public static OptionalLong txIdOf(String path) {
        Matcher words = PATH.matcher(path);
        return words.matches() ? OptionalLong.of(Long.parseLong(words.group(1))) : OptionalLong.empty();
    }

    /** The path of an image below the archive. It is made of the content, so every process that writes there writes the same. */
    private static String path(Incarnation incarnation, ImageId id) {
        return directory(incarnation) + "/" + String.format("fsimage_%019d", id.txId()) + "-" + id.md5();
    }
}
