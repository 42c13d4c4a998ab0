/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages over the network: the ports {@link io.trefoil.journal.transport.Transport} for callers and
 * {@link io.trefoil.journal.transport.SessionAcceptor} for nodes, and their Netty implementation.
 *
 * <p>The only package that sees Netty. Bytes and refusals: {@code docs/design/wire-format.md}.
 */
package io.trefoil.journal.transport;
