/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** The address of a pool node: host name or IP address, and port. Immutable. */
@AutoValue
public abstract class NodeAddress implements Comparable<NodeAddress> {

    public static NodeAddress of(String host, int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("Not a port: " + port + " (of host " + host + ")");
        }
        return new AutoValue_NodeAddress(TextFields.requireToken("host", host), port);
    }

    /**
     * Parses {@code host:port}; an IPv6 address is in brackets.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static NodeAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || colon == text.length() - 1 || text.indexOf(']') > colon || text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("Wanted host:port, found '" + text + "'");
        }
        try {
            return of(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Wanted host:port, found '" + text + "'", e);
        }
    }

    /** The host as written in a URI; an IPv6 address is in brackets. */
    public abstract String host();

    public abstract int port();

    @Override
    public final int compareTo(NodeAddress other) {
        int byHost = host().compareTo(other.host());
        return byHost != 0 ? byHost : Integer.compare(port(), other.port());
    }

    @Override
    public final String toString() {
        return host() + ":" + port();
    }
}
