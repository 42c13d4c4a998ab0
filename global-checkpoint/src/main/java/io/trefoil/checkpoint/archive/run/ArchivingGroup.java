/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import io.trefoil.checkpoint.archive.group.ArchivingMember;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.List;

/** The members of a nameservice's group, as one of them sees the others. Used by one thread. */
public interface ArchivingGroup {

    /** A writer that is in no group. */
    ArchivingGroup ALONE = new ArchivingGroup() {
        @Override
        public List<ArchivingMember> queryOthers() {
            return Collections.emptyList();
        }

        @Override
        public boolean isActive() {
            return false;
        }
    };

    /** Returns the reports of the other members; lacks those that do not answer soon, or do not archive. */
    List<ArchivingMember> queryOthers() throws InterruptedIOException;

    /** Whether this member is the active. Does not block. */
    boolean isActive();
}
