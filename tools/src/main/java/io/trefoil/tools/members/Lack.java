/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

/** What a DataNode lacks, for people, and whether waiting may bring it. Immutable. */
final class Lack {
    private final String text;
    private final boolean lasting;

    private Lack(String text, boolean lasting) {
        this.text = text;
        this.lasting = lasting;
    }

    /** What may come by itself. */
    static Lack passing(String text) {
        return new Lack(text, false);
    }

    /**
     * What a DataNode lacks after it was told to read its configuration, because of what is in that. It changes whom it reports to before it
     * answers, so nothing comes later.
     */
    static Lack lasting(String text) {
        return new Lack(text, true);
    }

    String text() {
        return text;
    }

    boolean isLasting() {
        return lasting;
    }
}
