/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Holds changes of a subtree that is frozen for a move: {@link io.trefoil.federation.hdfs.gate.SubtreeGate} steps the
 * rules of {@code io.trefoil.federation.gate}; {@link io.trefoil.federation.hdfs.gate.GatedCalls} and {@link
 * io.trefoil.federation.hdfs.gate.GatedWebHdfs} bring it the calls of HDFS's RPC and of WebHDFS.
 */
package io.trefoil.federation.hdfs.gate;
