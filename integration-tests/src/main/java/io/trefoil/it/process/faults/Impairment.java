/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.time.Duration;

/**
 * What a bad link does to the packets of one direction.
 *
 * @param loss the share of packets that vanish, 0.01 for one in a hundred
 * @param delay of all others, which stay in order
 */
public record Impairment(double loss, Duration delay) {}
