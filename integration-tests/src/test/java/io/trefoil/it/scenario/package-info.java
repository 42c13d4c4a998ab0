/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What can happen to a cluster under load. This package holds what the scenarios share: measurements and final checks. */
package io.trefoil.it.scenario;
