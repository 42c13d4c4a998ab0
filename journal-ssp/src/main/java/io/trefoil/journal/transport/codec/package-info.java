/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The bytes of messages. Pure except for Netty's buffers; bytes that cannot be a message are refused with a cause
 * ({@code docs/design/wire-format.md}). What a message consists of is written and read in {@code field}.
 */
package io.trefoil.journal.transport.codec;
