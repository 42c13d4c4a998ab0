/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The port of a pool node: performs the handshake with callers and assigns each accepted one to a thread, with limits on everything that a
 * stranger can consume. The loops, the readers' threads and the rights of callers are here; {@code session} serves admitted callers.
 */
package io.trefoil.journal.transport.server;
