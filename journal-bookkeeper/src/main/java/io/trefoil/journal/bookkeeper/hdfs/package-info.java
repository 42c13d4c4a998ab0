/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The adapters by which HDFS keeps its edits in BookKeeper: {@code bk://} URIs. */
package io.trefoil.journal.bookkeeper.hdfs;
