/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The fields that messages are made of, and why bytes are refused as none. Pure except for Netty's buffers; the thread of
 * whoever reads or writes a message.
 */
package io.trefoil.journal.transport.codec.field;
