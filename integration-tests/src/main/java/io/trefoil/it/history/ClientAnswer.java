/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * What a client was told.
 *
 * @param text "yes", "no", "unknown", or after "there is " what a READ found
 */
public record ClientAnswer(String text) {
    /** Done. */
    public static final ClientAnswer YES = new ClientAnswer("yes");
    /** Refused, for what is there or is not; nothing was changed. */
    public static final ClientAnswer NO = new ClientAnswer("no");
    /** Nothing, or an error that does not say whether it was executed. */
    public static final ClientAnswer UNKNOWN = new ClientAnswer("unknown");

    /** What a READ found: a content, {@link Names#DIRECTORY} or {@link Names#NOTHING}. */
    public static ClientAnswer found(String content) {
        return new ClientAnswer("there is " + content);
    }

    @Override
    public String toString() {
        return text;
    }
}
