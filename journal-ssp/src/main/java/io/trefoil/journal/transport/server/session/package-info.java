/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A caller that is in: its requests are read, passed to its session in turns, and answered. A writer (the coordinator of
 * the paper, 4.1.2) is served entirely by the event loop of its journal, so that reading, syncing and answering take no
 * hand-off; a reader is read by a service loop and served by reader threads.
 */
package io.trefoil.journal.transport.server.session;
