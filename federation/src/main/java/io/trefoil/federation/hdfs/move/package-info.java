/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The move of a subtree by calls of HDFS's own protocol, and by orders to DataNodes to link blocks. */
package io.trefoil.federation.hdfs.move;
