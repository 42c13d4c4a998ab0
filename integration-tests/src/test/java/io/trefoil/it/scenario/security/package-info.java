/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Kerberos and TLS end to end, and intruders: hosts and bytes that do not belong to the cluster. */
package io.trefoil.it.scenario.security;
