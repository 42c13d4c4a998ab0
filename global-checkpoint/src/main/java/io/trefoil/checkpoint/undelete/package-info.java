/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What is to be done for each path of a subtree of the past, while everything runs: whether it is there, what has it still, or why it cannot be
 * had. Pure; {@code hdfs.undelete} finds out and carries it out.
 */
package io.trefoil.checkpoint.undelete;
