/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The bytes of what is the same on disk and on the wire: {@link io.trefoil.journal.codec.EntryCodec},
 * {@link io.trefoil.journal.codec.SummaryCodec} and their checksum {@link io.trefoil.journal.codec.Crc32c}.
 *
 * <p>Storage and transport share them here, so that neither has to know of the other. The layouts are described
 * in {@code docs/design/storage-format.md}.
 */
package io.trefoil.journal.codec;
