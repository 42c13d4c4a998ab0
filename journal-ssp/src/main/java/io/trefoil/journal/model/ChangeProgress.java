/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** Describes how far a {@link MemberChange} has come. Immutable. */
@AutoValue
public abstract class ChangeProgress {

    /** Describes how far the change has come. */
    public enum Stage {
        /** The node that was asked has not heard from a writer. */
        NO_WRITER,
        /** A writer works on it, or will learn of it. */
        UNDER_WAY,
        /** The members are as requested, and that is committed. */
        DONE,
        /** Refused: nothing was changed for it, and nothing will be. */
        REFUSED
    }

    public static ChangeProgress of(String ticket, Stage stage, String text) {
        return new AutoValue_ChangeProgress(TextFields.requireToken("ticket", ticket), stage, text);
    }

    /** The ticket of the change. */
    public abstract String ticket();

    public abstract Stage stage();

    /** Text for operators: what the change waits for, what was done, or why it was refused. */
    public abstract String text();

    public final boolean isFinished() {
        return stage() == Stage.DONE || stage() == Stage.REFUSED;
    }
}
