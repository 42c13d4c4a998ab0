/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The bytes of messages. Pure but for Netty's buffers; what cannot be a message is refused with a cause
 * ({@code docs/design/wire-format.md}).
 */
package io.trefoil.journal.transport.codec;
