/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The encodings that disk and wire share: {@link io.trefoil.journal.codec.EntryCodec}, {@link
 * io.trefoil.journal.codec.SummaryCodec} and their checksum {@link io.trefoil.journal.codec.Crc32c}.
 *
 * <p>They have a package of their own, so that storage and transport need not know each other. {@code
 * docs/design/storage-format.md} describes the layouts.
 */
package io.trefoil.journal.codec;
