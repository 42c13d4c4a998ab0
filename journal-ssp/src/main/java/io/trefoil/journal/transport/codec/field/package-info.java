/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The fields that messages consist of, and the causes for refusing malformed bytes. Pure except for Netty's buffers;
 * runs on the thread that reads or writes a message.
 */
package io.trefoil.journal.transport.codec.field;
