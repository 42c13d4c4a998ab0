/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil diagnose}: one archive with everything that an issue report needs. */
package io.trefoil.tools.diagnose;
