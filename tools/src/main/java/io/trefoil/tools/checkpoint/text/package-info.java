/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code hdfs trefoil checkpoint} prints: checkpoints, what a restore would do or has done, and what prevents it. Only prints, on the
 * command's thread; what it prints comes from {@code io.trefoil.checkpoint}.
 */
package io.trefoil.tools.checkpoint.text;
