/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/** The service ACL of a pool node: the users that may use its port at all, whatever rights they have there. Thread-safe. */
interface ServiceAcl {

    /** The list that admits every caller. */
    ServiceAcl NONE = new ServiceAcl() {
        @Override
        public boolean admitsEveryone() {
            return true;
        }

        @Override
        public Optional<String> refusalReason(String name, Set<String> users, InetAddress address) {
            return Optional.empty();
        }
    };

    /** Whether this list always admits every caller. */
    boolean admitsEveryone();

    /**
     * Returns why a caller may not use the port; empty if it may. May wait for the disk, and for the look-up of groups.
     *
     * @param name for messages
     * @param users the caller's names in the lists: one must be admitted, and none may be blocked
     */
    Optional<String> refusalReason(String name, Set<String> users, InetAddress address);
}
