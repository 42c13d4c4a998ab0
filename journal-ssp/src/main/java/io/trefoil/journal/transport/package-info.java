/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The network as its users see it: the ports {@link io.trefoil.journal.transport.Transport} for callers and
 * {@link io.trefoil.journal.transport.NodeSessionAcceptor} for nodes. Tests replace them with a simulated network.
 */
package io.trefoil.journal.transport;
