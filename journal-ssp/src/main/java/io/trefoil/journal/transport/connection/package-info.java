/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What both ends of a connection share: frames cut out of the stream, the memory that they may take, and kinds of sockets.
 */
package io.trefoil.journal.transport.connection;
