/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes and reads the archive's objects, wherever they are. A writer has one thread; readers share nothing with it but the
 * objects.
 */
package io.trefoil.checkpoint.archive.store;
