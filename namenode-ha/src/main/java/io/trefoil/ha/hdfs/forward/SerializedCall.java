/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerContext;

/** A client's call with everything that the active needs to treat it as one of its own. Immutable. */
@AutoValue
abstract class SerializedCall {

    static Builder builder() {
        return new AutoValue_SerializedCall.Builder();
    }

    abstract Builder toBuilder();

    /** The method of {@code ClientProtocol}, by its name on the wire. */
    abstract String method();

    /** The message of the request. */
    abstract Bytes request();

    /** The id of the client, by which, with the call id, the retry cache recognizes a repetition. */
    abstract Bytes clientId();

    abstract int callId();

    abstract int retryCount();

    abstract Optional<Context> context();

    abstract SerializedUser user();

    /** The client's IP address as 4 or 16 bytes. */
    abstract Bytes address();

    abstract int port();

    /** The client's information about the work that the call belongs to. */
    @AutoValue
    abstract static class Context {

        static Context of(String text, Bytes signature) {
            return new AutoValue_SerializedCall_Context(text, signature);
        }

        /** The caller context; empty if the client set none, or one that HDFS considers invalid. */
        static Optional<Context> of(CallerContext context) {
            if (context == null || !context.isContextValid()) {
                return Optional.empty();
            }
            byte[] signature = context.getSignature();
            return Optional.of(of(context.getContext(), signature == null ? Bytes.EMPTY : Bytes.wrap(signature)));
        }

        abstract String text();

        abstract Bytes signature();

        final CallerContext context() {
            CallerContext.Builder context = new CallerContext.Builder(text());
            return signature().size() == 0
                    ? context.build()
                    : context.setSignature(signature().toByteArray()).build();
        }
    }

    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder method(String method);

        abstract Builder request(Bytes request);

        abstract Builder clientId(Bytes clientId);

        abstract Builder callId(int callId);

        abstract Builder retryCount(int retryCount);

        abstract Builder context(Optional<Context> context);

        abstract Builder user(SerializedUser user);

        abstract Builder address(Bytes address);

        abstract Builder port(int port);

        abstract SerializedCall build();
    }
}
