/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil}: all commands of all modules, {@link io.trefoil.tools.TrefoilCommand} at their root.
 *
 * <p>Above all other modules, and used by none. No Hadoop here but in {@code tools.hdfs}: {@link io.trefoil.tools.cluster.Installation}
 * is what the commands need of one. Only this module sees picocli, which its jar carries under a name of its own.
 */
package io.trefoil.tools;
