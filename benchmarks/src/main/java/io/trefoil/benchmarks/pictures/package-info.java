/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The pictures of results, drawn by XChart without a screen. {@link io.trefoil.benchmarks.pictures.PictureFile} keeps their data, so that
 * {@code bin/draw-picture} can draw them again.
 */
package io.trefoil.benchmarks.pictures;
