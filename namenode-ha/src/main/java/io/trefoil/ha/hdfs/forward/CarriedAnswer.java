/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;

/** What became of a call at the active. Immutable. */
@AutoValue
abstract class CarriedAnswer {

    /** What the active has done. */
    enum Kind {
        /** Executed it, and has an answer. */
        RETURNED,
        /** Executed it, and refuses it with an exception. */
        THREW,
        /** Perhaps executed it, and gives no answer: the client has to ask again. */
        BROKE_OFF,
        /** Certainly nothing. */
        NOT_EXECUTED
    }

    private static CarriedAnswer of(Kind kind, long lastTxId, String error, String text, Bytes message) {
        return new AutoValue_CarriedAnswer(kind, lastTxId, error, text, message);
    }

    static CarriedAnswer returned(long lastTxId, Bytes message) {
        return of(Kind.RETURNED, lastTxId, "", "", message);
    }

    static CarriedAnswer threw(long lastTxId, String error, String text) {
        return of(Kind.THREW, lastTxId, error, text, Bytes.EMPTY);
    }

    static CarriedAnswer brokeOff(String why) {
        return of(Kind.BROKE_OFF, 0, "", why, Bytes.EMPTY);
    }

    static CarriedAnswer notExecuted(String why) {
        return of(Kind.NOT_EXECUTED, 0, "", why, Bytes.EMPTY);
    }

    abstract Kind kind();

    /** The last transaction that it may have seen; 0 if it tells of none. */
    abstract long lastTxId();

    /** The name of the exception's class. */
    abstract String error();

    /** Of the exception, or why there is no answer. */
    abstract String text();

    /** The answer, as a delimited message. */
    abstract Bytes message();
}
