/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The bytes of messages. Pure except for Netty's buffers; bytes that cannot be a message are refused with a cause
 * ({@code docs/design/wire-format.md}).
 */
package io.trefoil.journal.transport.codec;
