/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.authentication;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;

/** Describes how the processes of a cluster authenticate each other. Thread-safe. */
public interface Authentication {

    /** The absence of authentication: neither side proves anything. */
    Authentication NONE = new Authentication() {
        @Override
        public String mechanism() {
            return Hello.NO_AUTHENTICATION;
        }

        @Override
        public AuthenticationExchange beginAsCaller(InetAddress node) {
            return NoAuthentication.SILENCE;
        }

        @Override
        public AuthenticationExchange beginAsNode(InetAddress caller) {
            return NoAuthentication.SILENCE;
        }

        @Override
        public AccessController wrapAccessController(AccessController byAddress) {
            return byAddress;
        }
    };

    /** The name of the mechanism in a Hello. */
    String mechanism();

    /**
     * Begins mutual authentication with a node, on the caller's side; may block, as may the dialogue's methods.
     *
     * @throws IOException if this process has nothing to prove itself by; the text says what it needs
     */
    AuthenticationExchange beginAsCaller(InetAddress node) throws IOException;

    /**
     * A variant in which the caller asks for the strongest protection of a connection among those that it is configured
     * to ask for. Used for what others have sent here under a protection that they chose.
     */
    default Authentication withStrongestProtection() {
        return this;
    }

    /**
     * Begins mutual authentication with a caller, on the node's side; never blocks.
     *
     * @throws IOException if this process has nothing to prove itself by; the text says what it needs
     */
    AuthenticationExchange beginAsNode(InetAddress caller) throws IOException;

    /**
     * The access controller that decides about callers of a node in this process.
     *
     * @param byAddress trusts addresses
     * @throws IOException if this process cannot prove that it is a node; the text says what it needs
     */
    AccessController wrapAccessController(AccessController byAddress) throws IOException;

    /** A dialogue that sends nothing, identifies no caller, and is complete from the beginning. */
    final class NoAuthentication implements AuthenticationExchange {
        private static final AuthenticationExchange SILENCE = new NoAuthentication();

        private NoAuthentication() {}

        @Override
        public Bytes process(Bytes message) throws IOException {
            if (message.size() > 0) {
                throw new IOException(
                        "The other side demands authentication, and without Kerberos this process has none to "
                                + "offer");
            }
            return Bytes.EMPTY;
        }

        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public Identity peer() {
            throw new IllegalStateException("No caller is authenticated");
        }

        @Override
        public Optional<Protection> protection() {
            return Optional.empty();
        }

        @Override
        public void close() {
            // There are no keys to forget.
        }
    }
}
