/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

/**
 * The answer that a client got.
 *
 * @param text "yes", "no", "unknown", or what a READ found, after "there is "
 */
public record ClientAnswer(String text) {
    /** The request was executed. */
    public static final ClientAnswer YES = new ClientAnswer("yes");
    /** The request was refused because of existing or missing files; nothing was changed. */
    public static final ClientAnswer NO = new ClientAnswer("no");
    /** There was no answer, or an error that leaves open whether the request was executed. */
    public static final ClientAnswer UNKNOWN = new ClientAnswer("unknown");

    /** Returns the result of a READ: a content, {@link NamespaceModel#DIRECTORY} or {@link NamespaceModel#NOTHING}. */
    public static ClientAnswer found(String content) {
        return new ClientAnswer("there is " + content);
    }

    @Override
    public String toString() {
        return text;
    }
}
