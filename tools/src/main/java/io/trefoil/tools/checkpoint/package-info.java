/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil checkpoint}: checkpoints of a whole federation: create, inspect, restore (paper §4.3). */
package io.trefoil.tools.checkpoint;
