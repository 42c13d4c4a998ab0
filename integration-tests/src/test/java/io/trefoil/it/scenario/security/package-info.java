/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Kerberos and TLS from end to end, and strangers: hosts and bytes that do not belong to the cluster. */
package io.trefoil.it.scenario.security;
