/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The table of subtrees for programs that use {@code FileContext}; {@code docs/design/subtrees.md} describes the table. Others need
 * nothing of ours: Hadoop's own client reads it.
 */
package io.trefoil.client.hdfs.subtrees;
