/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients' calls that this NameNode forwards to the active, and those that it executes as the active for other
 * NameNodes ({@code docs/design/forwarding.md}).
 *
 * <p>{@link io.trefoil.ha.hdfs.forward.CallForwarder} sends them and answers the clients, {@link
 * io.trefoil.ha.hdfs.forward.ForwardedCallExecutor} puts them into HDFS's own queue. The messages between the two are {@link
 * io.trefoil.ha.hdfs.forward.SerializedCall} and {@link io.trefoil.ha.hdfs.forward.SerializedResponse}. {@link
 * io.trefoil.ha.hdfs.forward.ForwardedCallsMetrics} shows what became of the calls.
 */
package io.trefoil.ha.hdfs.forward;
