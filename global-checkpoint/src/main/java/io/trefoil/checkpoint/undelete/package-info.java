/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Plans the action for each path of a subtree of the past, while everything runs: whether it is there, which place still has it, or why it
 * cannot come back. Pure; {@code hdfs.undelete} finds out and carries it out.
 */
package io.trefoil.checkpoint.undelete;
