/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.time.Instant;

/**
 * One exit of a supervised process.
 *
 * @param time when it was noticed
 * @param code the exit code; 128 plus the signal's number if a signal ended it
 */
public record ProcessExit(Instant time, int code) {}
