/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks whether this process's libraries have everything that our classes use.
 *
 * <p>A jar that was compiled against one release of Hadoop links to another one member by member, at the moment when each
 * is first used. A member that is not there then ends whatever thread happens to come by. Here all references of a jar are
 * resolved at once, from class files alone: nothing is loaded, initialized or called. Used when a NameNode starts, by {@code
 * hdfs trefoil preflight --linkage}, and by the build for each release of Hadoop.
 */
package io.trefoil.foundation.linkage;
