/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

/** Whether the connections of a process use TLS. */
public enum TlsPolicy {
    /** TLS is off: no connection is encrypted, and neither side shows a certificate. */
    OFF,
    /**
     * TLS is optional: nodes serve both kinds of callers, which use TLS if the node does. Does not protect against an attacker who can
     * change packets; it is for the time in which hosts go from {@link #OFF} to {@link #REQUIRED} one after the other.
     */
    OPTIONAL,
    /** TLS is required: all connections use it, with certificates on both sides. */
    REQUIRED
}
