/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil enable} and {@code disable}: the journal in an {@code hdfs-site.xml}.
 *
 * <p>All that is written is one block of properties before the end of the file, between two comments. Of two properties of
 * one name Hadoop takes the later one, so nothing before the block has to be changed, and without the block the file is
 * byte for byte what it was.
 */
package io.trefoil.tools.site;
