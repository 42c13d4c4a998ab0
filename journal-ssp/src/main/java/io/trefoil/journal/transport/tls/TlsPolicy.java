/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

/** Whether the connections of a process use TLS. */
public enum TlsPolicy {
    /** TLS is off: no connection is encrypted, and neither side shows a certificate. */
    OFF,
    /**
     * Nodes serve both kinds; callers use TLS where the node speaks it. Does not protect against an attacker who can
     * change packets; it is for the time in which hosts go from {@link #OFF} to {@link #REQUIRED} one after the other.
     */
    OPTIONAL,
    /** All connections use TLS, with certificates of both sides. */
    REQUIRED
}
