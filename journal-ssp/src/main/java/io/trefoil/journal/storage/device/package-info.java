/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A journal's storage in the files of one directory: whose it is, what it promised, how far it is durable, and its log.
 *
 * <p>One write and one fdatasync per group (paper §4.1.1). The bytes are described in {@code
 * docs/design/storage-format.md}.
 */
package io.trefoil.journal.storage.device;
