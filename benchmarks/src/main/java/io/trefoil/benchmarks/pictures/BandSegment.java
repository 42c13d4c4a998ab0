/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import java.awt.Color;

/** A part of a band of {@link Panels}, with its own name in the legend. */
public record BandSegment(double from, double to, String name, Color colour) {}
