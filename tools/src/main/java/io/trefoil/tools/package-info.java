/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil}: all commands of all modules, {@link io.trefoil.tools.TrefoilCommand} at their root.
 *
 * <p>This module depends on all others, and none depends on it. Only {@code tools.hdfs} uses Hadoop; {@link
 * io.trefoil.tools.cluster.Installation} is what the commands need from an installation. Only this module uses picocli;
 * its jar contains picocli under a relocated name.
 */
package io.trefoil.tools;
