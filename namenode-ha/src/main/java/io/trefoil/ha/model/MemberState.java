/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

/** What a member is to its group (paper §3.3, Fig. 2). HDFS knows only the first two; it sees a junior as a standby. */
public enum MemberState {
    /** Serves. */
    ACTIVE,
    /** In order, and up to date to within the lag that is allowed: may be elected at any time, and may answer reads. */
    STANDBY,
    /** Everything else: starting, behind, unhealthy. Elected only where there is no standby. */
    JUNIOR
}
