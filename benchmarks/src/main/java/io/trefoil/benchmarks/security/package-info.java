/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/** How the processes of a comparison protect what they say to each other, alike on both sides. */
package io.trefoil.benchmarks.security;
