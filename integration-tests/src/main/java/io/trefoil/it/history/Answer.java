/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * What a client was told.
 *
 * @param text "yes", "no", "unknown", or after "there is " what a READ found
 */
public record Answer(String text) {
    /** Done. */
    public static final Answer YES = new Answer("yes");
    /** Refused, for what is there or is not; nothing was changed. */
    public static final Answer NO = new Answer("no");
    /** Nothing, or an error that does not say whether it was executed. */
    public static final Answer UNKNOWN = new Answer("unknown");

    /** What a READ found: a content, {@link Names#DIRECTORY} or {@link Names#NOTHING}. */
    public static Answer found(String content) {
        return new Answer("there is " + content);
    }

    @Override
    public String toString() {
        return text;
    }
}
