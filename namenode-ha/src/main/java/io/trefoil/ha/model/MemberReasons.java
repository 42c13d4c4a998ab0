/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

/** Why a member says that it is no standby, in the words that it publishes. A verdict gives advice by them. */
public final class MemberReasons {
    public static final String STARTING = "starting";
    public static final String DOUBLED = "another process takes part in the group under the name of this one";
    public static final String SAFE_MODE = "in safe mode";
    /** The member lacks more transactions than a standby may. */
    public static final String BEHIND = "behind";

    public static final String REPLICA_BEHIND = "its replica of the journal is behind";
    /** Followed by for how long. */
    public static final String DISK_SILENT = "the disk of its replica of the journal did not answer for ";
    /** Words of HDFS about a volume without space. */
    public static final String NO_SPACE = "no resources available";
    /** Followed by for how long. */
    public static final String STUCK = "the namesystem's lock or a monitor of the NameNode could not be acquired for ";

    private MemberReasons() {}
}
