/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Encodes and decodes messages ({@code docs/design/wire-format.md}); refuses bytes that cannot be a message, with a
 * cause. Pure except for Netty's buffers. The fields of messages are in {@code field}.
 */
package io.trefoil.journal.transport.codec;
