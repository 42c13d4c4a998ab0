/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The port of a pool node: greets, and gives each accepted caller a thread, with bounds on everything that a stranger can
 * consume. The loops, the readers' threads and the rights of callers are here; what is served once a caller is in is in
 * {@code session}.
 */
package io.trefoil.journal.transport.server;
