/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The traces of clusters, replayed through the rules ({@code docs/design/traces.md}). */
package io.trefoil.it.traces;
