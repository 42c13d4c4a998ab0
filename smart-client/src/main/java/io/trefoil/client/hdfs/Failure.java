/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/** The meaning of a failed attempt for the next one; the checks follow the order of HDFS's own retry policy. */
enum Failure {
    /** The failure is the call's answer. */
    ANSWER,
    /** The call was not executed: the NameNode is not active. */
    NOT_ACTIVE,
    /** The call was not executed: the NameNode is an observer, and locations of a block are missing in the answer. */
    NO_LOCATIONS,
    /** The call was not executed: the NameNode asks the client to retry later. */
    LATER,
    /** The call was not executed: no NameNode was reached. */
    NOT_REACHED,
    /** It is unknown whether the call was executed. */
    UNKNOWN;

    static Failure of(Throwable failure) {
        if (!(failure instanceof IOException) || hasCause(failure, SaslException.class)) {
            return ANSWER;
        }
        if (failure instanceof ObserverRetryOnActiveException
                || isAnswered(failure, ObserverRetryOnActiveException.class)) {
            return NO_LOCATIONS;
        }
        if (failure instanceof StandbyException || isAnswered(failure, StandbyException.class)) {
            return NOT_ACTIVE;
        }
        if (failure instanceof RetriableException || isAnswered(failure, RetriableException.class)) {
            return LATER;
        }
        if (failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof UnknownHostException
                || failure instanceof ConnectTimeoutException) {
            return NOT_REACHED;
        }
        if (failure instanceof RemoteException
                || failure instanceof InvalidToken
                || hasCause(failure, AccessControlException.class)
                || isInterruption(failure)) {
            return ANSWER;
        }
        return UNKNOWN;
    }

    static boolean isInterruption(Throwable failure) {
        return failure instanceof ClosedByInterruptException
                || (failure instanceof InterruptedIOException && !(failure instanceof SocketTimeoutException));
    }

    private static boolean isAnswered(Throwable failure, Class<?> type) {
        return failure instanceof RemoteException
                && ((RemoteException) failure).getClassName().equals(type.getName());
    }

    private static boolean hasCause(Throwable failure, Class<?> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
