/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients' calls at a NameNode, over RPC and WebHDFS: those that wait at a standby for the next active, those
 * that it hands on to the active, and answers of the
 * active that wait until a majority has what they show (paper 2: reads must not see what may be lost).
 *
 * <p>On the handler threads of HDFS, which no waiting answer occupies; answers that waited are sent by threads of {@code
 * HeldAnswers}.
 */
package io.trefoil.ha.hdfs.calls;
