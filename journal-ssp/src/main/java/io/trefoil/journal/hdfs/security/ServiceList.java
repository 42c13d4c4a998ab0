/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.net.InetAddress;
import java.util.Optional;

/** Who may come to a pool node's port at all, whatever rights he has there. Thread-safe. */
interface ServiceList {

    /** Everybody. */
    ServiceList NONE = new ServiceList() {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public Optional<String> refusal(String principal, InetAddress address) {
            return Optional.empty();
        }
    };

    /** Whether it lets in everybody, always. */
    boolean isOpen();

    /** Why somebody may not; empty if he may. May wait for the disk, and for the groups of users. */
    Optional<String> refusal(String principal, InetAddress address);
}
