/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients' calls at a NameNode, over RPC and WebHDFS: calls that wait at a standby for the next active, calls that it forwards to the
 * active, and answers of the active that wait until a majority has the changes they reveal (paper 2: reads must not see edits that may be
 * lost).
 *
 * <p>Runs on HDFS's handler threads, which no waiting RPC answer occupies; threads of {@code PendingResponses} send answers
 * that waited.
 */
package io.trefoil.ha.hdfs.calls;
