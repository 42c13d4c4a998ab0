/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil enable} and {@code disable}: add the journal to an {@code hdfs-site.xml}, or remove it.
 *
 * <p>The commands write only one block of properties, between two comments, before the end of the file. Of two properties with the same
 * name Hadoop takes the later one, so nothing before the block has to change, and without the block the file is byte for byte what it was.
 */
package io.trefoil.tools.site;
