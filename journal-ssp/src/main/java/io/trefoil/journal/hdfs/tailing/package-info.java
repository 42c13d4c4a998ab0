/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Lets a NameNode that follows apply a batch as soon as it is committed (paper §4.1.2), on one thread of its own, and keeps
 * that apart from the writing of the same NameNode.
 */
package io.trefoil.journal.hdfs.tailing;
