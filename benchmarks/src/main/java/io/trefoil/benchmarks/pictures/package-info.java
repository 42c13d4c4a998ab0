/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The pictures of results, drawn by XChart without a screen. */
package io.trefoil.benchmarks.pictures;
