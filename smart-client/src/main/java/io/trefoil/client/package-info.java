/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Lets an HDFS client ride through a change of the active NameNode without a lost or a doubled operation.
 *
 * <p>A failover proxy provider finds the new active by the global view and sends an operation again under the same RPC
 * client id and call id, by which the NameNode recognises a repetition. Needs nothing but {@code hadoop-common} and
 * {@code hadoop-hdfs-client}. See section 4.4 of the paper.
 */
package io.trefoil.client;
