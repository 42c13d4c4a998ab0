/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.regex.Pattern;

/**
 * Identifies an image of a namespace. Two NameNodes may save the same transaction as different bytes, so parts of the
 * two must never be combined: the digest tells them apart. Immutable; ordered by transaction.
 */
@AutoValue
public abstract class ImageId implements Comparable<ImageId> {

    private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");

    /** @throws IllegalArgumentException if no such image can exist; the text says why */
    public static ImageId of(long txId, long length, String md5) {
        if (txId < 0 || length < 1) {
            throw new IllegalArgumentException(
                    "An image has a transaction and bytes, got transaction " + txId + " and " + length + " bytes");
        }
        if (!MD5.matcher(md5).matches()) {
            throw new IllegalArgumentException("An MD5 is 32 small hexadecimal digits, got '" + md5 + "'");
        }
        return new AutoValue_ImageId(txId, length, md5);
    }

    /** The last transaction in the image; 0 for the image of a format. */
    public abstract long txId();

    /** The length of the image, in bytes. */
    public abstract long length();

    /** The MD5 digest of the whole file, as HDFS keeps it next to the image. */
    public abstract String md5();

    @Override
    public final int compareTo(ImageId other) {
        int byTransaction = Long.compare(txId(), other.txId());
        if (byTransaction != 0) {
            return byTransaction;
        }
        int byLength = Long.compare(length(), other.length());
        return byLength != 0 ? byLength : md5().compareTo(other.md5());
    }

    @Override
    public final String toString() {
        return "image of transaction " + txId() + ", " + length() + " bytes, MD5 " + md5();
    }
}
