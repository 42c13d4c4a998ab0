/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * The answer that a client got.
 *
 * @param text "yes", "no", "unknown", or what a READ found, after "there is "
 */
public record ClientAnswer(String text) {
    /** Done. */
    public static final ClientAnswer YES = new ClientAnswer("yes");
    /** Refused because of what exists or does not; nothing was changed. */
    public static final ClientAnswer NO = new ClientAnswer("no");
    /** No answer, or an error that does not say whether the request was executed. */
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
