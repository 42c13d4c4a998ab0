/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection of an admitted caller: reads its requests, passes them to its session in turns, and answers. The event
 * loop of the journal serves a writer (the coordinator of the paper, 4.1.2) entirely, so that reading, syncing and
 * answering take no hand-off; for a reader, a service loop reads and reader threads serve.
 */
package io.trefoil.journal.transport.server.session;
