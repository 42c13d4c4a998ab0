/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What NameNodes have counted: {@link io.trefoil.tools.subtree.load.LoadSurvey} asks the active of each nameservice.
 */
package io.trefoil.tools.subtree.load;
