/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import java.util.Optional;

/** The first message of a session: it names the caller, and the journal that the session is about. Immutable. */
@AutoValue
public abstract class Hello {

    /** The purpose of a session; it decides which thread of the node serves it. */
    public enum CallerRole {
        /** Appends and everything on the commit path: served by the journal's own thread. */
        WRITER,
        /** Reads, catch-up, status, format: never on the commit path's thread. */
        READER
    }

    /** The length at which names of callers are cut: they are for logs, and a Hello has to fit a small frame. */
    static final int MAX_CALLER_CHARS = 256;

    /** The name of the mechanism that stands for no authentication. */
    public static final String NO_AUTHENTICATION = "NONE";

    public static Hello of(
            JournalId journal,
            NamespaceId namespace,
            CallerRole role,
            String caller,
            Optional<NodeAddress> callerNode) {
        return of(journal, namespace, role, caller, callerNode, NO_AUTHENTICATION, Bytes.EMPTY);
    }

    public static Hello of(
            JournalId journal,
            NamespaceId namespace,
            CallerRole role,
            String caller,
            Optional<NodeAddress> callerNode,
            String authentication,
            Bytes credentials) {
        String shown = caller.length() <= MAX_CALLER_CHARS ? caller : caller.substring(0, MAX_CALLER_CHARS);
        return new AutoValue_Hello(journal, namespace, role, shown, callerNode, authentication, credentials);
    }

    /** A copy with the caller's first authentication token. */
    public final Hello withAuthentication(String mechanism, Bytes first) {
        return of(journal(), namespace(), role(), caller(), callerNode(), mechanism, first);
    }

    /** A copy with the caller in the role of a reader. */
    public final Hello asReader() {
        return of(journal(), namespace(), CallerRole.READER, caller(), callerNode(), authentication(), credentials());
    }

    public abstract JournalId journal();

    /** {@link NamespaceId#UNKNOWN} if the caller does not know it yet. */
    public abstract NamespaceId namespace();

    public abstract CallerRole role();

    /** The host and process of the caller, for logs. */
    public abstract String caller();

    /**
     * The address of the pool node in the caller's process, if there is one: if the caller's connections break and that
     * address refuses new ones, the process is known to be gone (protocol page, "Lease").
     */
    public abstract Optional<NodeAddress> callerNode();

    /** Name of the authentication mechanism; a node refuses mechanisms that it does not know. */
    public abstract String authentication();

    /** The credentials that the mechanism needs from the caller; empty without authentication. */
    public abstract Bytes credentials();
}
