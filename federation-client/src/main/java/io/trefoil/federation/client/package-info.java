/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Determines which nameservice owns a path. */
package io.trefoil.federation.client;
