/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** How far a {@link MemberChange} has come. Immutable. */
@AutoValue
public abstract class ChangeProgress {

    /** How far it is. */
    public enum Stage {
        /** No writer has been heard of where it was asked for. */
        NO_WRITER,
        /** A writer works on it, or will be told of it. */
        UNDER_WAY,
        /** The members are as asked for, and that is committed. */
        DONE,
        /** Nothing was changed for it, and nothing will be. */
        REFUSED
    }

    public static ChangeProgress of(String ticket, Stage stage, String text) {
        return new AutoValue_ChangeProgress(TextFields.one("ticket", ticket), stage, text);
    }

    /** Of the change that is meant. */
    public abstract String ticket();

    public abstract Stage stage();

    /** What is being waited for, what was done, or why not; for operators. */
    public abstract String text();

    public final boolean isOver() {
        return stage() == Stage.DONE || stage() == Stage.REFUSED;
    }
}
