/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A journal's storage in the files of one directory: its identity, its promise, its durable mark, and its log.
 *
 * <p>One write and one fdatasync per group (paper §4.1.1). {@code docs/design/storage-format.md} describes the bytes.
 */
package io.trefoil.journal.storage.device;
