/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Code that both ends of a connection share: splitting the stream into frames, protecting it, limiting its memory, and
 * kinds of sockets.
 */
package io.trefoil.journal.transport.connection;
