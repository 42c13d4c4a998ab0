/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

/** The role that a NameNode has in HDFS. */
public enum HaRole {
    /** The NameNode has not entered its first role, or is about to exit. */
    NONE,
    ACTIVE,
    STANDBY,
    OBSERVER
}
