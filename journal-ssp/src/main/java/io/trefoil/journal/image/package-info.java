/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The decisions about images of the namespace in the pool: which images a node keeps, which node to ask for which part,
 * how fast a node serves them (paper §4.1.1, §4.2.3; {@code docs/design/images.md}). Pure.
 */
package io.trefoil.journal.image;
