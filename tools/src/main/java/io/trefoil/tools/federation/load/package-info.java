/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The load that NameNodes have counted: {@link io.trefoil.tools.federation.load.LoadSurvey} asks the active of each nameservice. */
package io.trefoil.tools.federation.load;
