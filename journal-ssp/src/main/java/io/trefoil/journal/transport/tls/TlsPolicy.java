/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

/** Whether the connections of a process are by TLS. */
public enum TlsPolicy {
    /** None is: nothing is encrypted, and nobody shows a certificate. */
    OFF,
    /**
     * Both kinds are served; calls are by TLS where the node speaks it. It protects against nobody who can change packets,
     * and is for the time in which hosts go from {@link #OFF} to {@link #REQUIRED} one after the other.
     */
    OPTIONAL,
    /** All are, with certificates of both sides. */
    REQUIRED
}
