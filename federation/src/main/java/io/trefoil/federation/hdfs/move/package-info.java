/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Moves a subtree through calls of HDFS's own protocol, and through orders to DataNodes to link blocks. */
package io.trefoil.federation.hdfs.move;
