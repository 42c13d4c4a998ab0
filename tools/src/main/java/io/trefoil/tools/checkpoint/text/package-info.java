/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code hdfs trefoil checkpoint} prints: checkpoints, what a restore would do or has done, and what is in its way. Prints
 * only, on the command's thread; what there is to print comes from {@code io.trefoil.checkpoint}.
 */
package io.trefoil.tools.checkpoint.text;
