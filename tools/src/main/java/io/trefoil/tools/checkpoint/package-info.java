/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil checkpoint}: creates, inspects and restores checkpoints of a whole federation (paper §4.3). */
package io.trefoil.tools.checkpoint;
