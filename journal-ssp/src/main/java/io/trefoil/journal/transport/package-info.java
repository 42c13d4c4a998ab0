/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages over the network as their users see them: the ports {@link io.trefoil.journal.transport.Transport} for callers
 * and {@link io.trefoil.journal.transport.NodeSessionAcceptor} for nodes. A simulated network takes their place in tests.
 */
package io.trefoil.journal.transport;
