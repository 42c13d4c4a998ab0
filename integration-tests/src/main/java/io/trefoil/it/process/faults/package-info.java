/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Faults of healthy processes and links: freezing, stuttering and delays; and taps that watch a link. */
package io.trefoil.it.process.faults;
