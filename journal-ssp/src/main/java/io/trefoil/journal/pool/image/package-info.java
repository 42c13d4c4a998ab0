/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Images of the namespace that the nodes of a pool hold: published from the NameNode's directories, served and fetched
 * in parts (paper §4.1.1, §4.2.3; {@code docs/design/images.md}).
 *
 * <p>One thread of the node looks for new images, another serves parts; both are throttled so that commits do not slow
 * down.
 */
package io.trefoil.journal.pool.image;
