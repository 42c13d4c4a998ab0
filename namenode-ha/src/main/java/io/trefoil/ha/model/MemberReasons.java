/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

/** The reasons that members publish for not being a standby. A verdict gives advice by them. */
public final class MemberReasons {
    public static final String STARTING = "starting";
    public static final String DOUBLED = "another process takes part in the group under the name of this one";
    public static final String SAFE_MODE = "in safe mode";
    /** The member lacks more transactions than a standby may. */
    public static final String BEHIND = "behind";

    public static final String REPLICA_BEHIND = "its replica of the journal is behind";
    /** A reason followed by a duration. */
    public static final String DISK_SILENT = "the disk of its replica of the journal did not answer for ";
    /** HDFS's words about a volume without space. */
    public static final String NO_SPACE = "no resources available";
    /** A reason followed by a duration. */
    public static final String STUCK = "the namesystem's lock or a monitor of the NameNode could not be acquired for ";

    private MemberReasons() {}
}
