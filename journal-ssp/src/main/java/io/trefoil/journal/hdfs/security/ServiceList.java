/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/** Who may come to a pool node's port at all, whatever rights he has there. Thread-safe. */
interface ServiceList {

    /** Everybody. */
    ServiceList NONE = new ServiceList() {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public Optional<String> refusal(String name, Set<String> users, InetAddress address) {
            return Optional.empty();
        }
    };

    /** Whether it lets in everybody, always. */
    boolean isOpen();

    /**
     * Why somebody may not; empty if he may. May wait for the disk, and for the groups of users.
     *
     * @param name for the text
     * @param users by which lists know him: one of them is let in, and none is blocked
     */
    Optional<String> refusal(String name, Set<String> users, InetAddress address);
}
