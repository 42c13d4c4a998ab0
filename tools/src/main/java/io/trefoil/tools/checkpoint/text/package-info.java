/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The output of {@code hdfs trefoil checkpoint}: checkpoints, the plan or the outcome of a restore, and the obstacles
 * to it. Only prints, on the command's thread; the content comes from {@code io.trefoil.checkpoint}.
 */
package io.trefoil.tools.checkpoint.text;
