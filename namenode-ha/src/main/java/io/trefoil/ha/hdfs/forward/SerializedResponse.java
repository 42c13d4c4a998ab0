/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;

/** The outcome of a call at the active. Immutable. */
@AutoValue
abstract class SerializedResponse {

    /** The kind of the active's response. */
    enum Kind {
        /** The active executed the call, and has an answer. */
        RETURNED,
        /** The active executed the call, and refuses it with an exception. */
        THREW,
        /** The active may have executed the call, but gives no answer: the client must retry. */
        BROKE_OFF,
        /** The active certainly executed nothing. */
        NOT_EXECUTED,
        /** The NameNode certainly executed nothing, as it is not active. */
        NOT_ACTIVE
    }

    private static SerializedResponse of(Kind kind, long lastTxId, String error, String text, Bytes message) {
        return new AutoValue_SerializedResponse(kind, lastTxId, error, text, message);
    }

    static SerializedResponse returned(long lastTxId, Bytes message) {
        return of(Kind.RETURNED, lastTxId, "", "", message);
    }

    static SerializedResponse failed(long lastTxId, String error, String text) {
        return of(Kind.THREW, lastTxId, error, text, Bytes.EMPTY);
    }

    static SerializedResponse aborted(String reason) {
        return of(Kind.BROKE_OFF, 0, "", reason, Bytes.EMPTY);
    }

    static SerializedResponse notExecuted(String reason) {
        return of(Kind.NOT_EXECUTED, 0, "", reason, Bytes.EMPTY);
    }

    static SerializedResponse notActive(String reason) {
        return of(Kind.NOT_ACTIVE, 0, "", reason, Bytes.EMPTY);
    }

    abstract Kind kind();

    /** The last transaction that the answer may have seen; 0 if it reveals none. */
    abstract long lastTxId();

    /** The name of the exception's class. */
    abstract String error();

    /** The text of the exception, or why there is no answer. */
    abstract String text();

    /** The answer, as a delimited message. */
    abstract Bytes message();
}
