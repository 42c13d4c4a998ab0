/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The calling side over TCP: links that reconnect on their own, all on one event loop of Netty, {@code ssp-client-<name>}. */
package io.trefoil.journal.transport.client;
