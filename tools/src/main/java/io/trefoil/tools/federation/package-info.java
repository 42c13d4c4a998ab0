/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The commands about one namespace over several nameservices; a build without them has all others. */
package io.trefoil.tools.federation;
