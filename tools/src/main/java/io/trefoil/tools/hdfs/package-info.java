/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The command in a Hadoop installation: {@link io.trefoil.tools.hdfs.TrefoilMain} is what {@code hdfs trefoil} runs. */
package io.trefoil.tools.hdfs;
