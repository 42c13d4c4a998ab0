/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

/** The state of a member in its group (paper §3.3, figure 2). HDFS knows only the first two; to HDFS a junior is a standby. */
public enum MemberState {
    /** The member is active and serves clients. */
    ACTIVE,
    /** The member is healthy, and up to date within the allowed lag: it may be elected at any time, and may serve reads. */
    STANDBY,
    /** A member that is neither active nor a standby: starting, behind, unhealthy. Elected only if there is no standby. */
    JUNIOR
}
