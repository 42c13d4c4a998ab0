/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Lets a standby or observer apply a batch as soon as it is committed (paper §4.1.2), on one dedicated thread, and
 * keeps that apart from the same NameNode's writing.
 */
package io.trefoil.journal.hdfs.tailing;
