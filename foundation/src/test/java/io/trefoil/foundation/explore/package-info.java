/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Visits every state that a small world can reach, breadth first, whatever the world is about (docs/design/exploration.md). */
package io.trefoil.foundation.explore;
